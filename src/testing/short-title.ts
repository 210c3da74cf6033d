/** Returns a title without its middle, if it is longer than `most`: its end tells it apart from others. */
export const shortTitle = (title: string, most = 100): string => {
  if (title.length <= most) return title;
  const begin = title.slice(0, Math.floor(most / 3));
  return `${begin}…${title.slice(begin.length + 1 - most)}`;
};
