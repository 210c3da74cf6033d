const escaped = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);

/** Returns whether a value stands in a text as words of its own. */
export const standsIn = (value: unknown, text: string): boolean => {
  const words = String(value).trim();
  if (words === '') return true;
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped(words)}(?![\\p{L}\\p{N}])`, 'iu').test(text);
};
