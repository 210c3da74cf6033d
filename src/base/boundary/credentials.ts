/** What stands in place of credentials. */
export const hidden = '***';

/** Returns a text as a reader of addresses takes it: percent-decoded, without line breaks and tabs, in one Unicode form. */
export const decoded = (text: string): string =>
  text
    .replaceAll(/%([\da-f]{2})/giu, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/[\t\n\r]/gu, '')
    .normalize('NFKC');

/** The scheme of an address and its slashes, and what follows up to the last `@`. */
const userInfo = /^([^:]*:[/\\]+)?([^]*)@/u;
/** A password as a parameter of an address, or as a keyword of libpq, and all that follows it. */
const keyword = /((?:pass|pwd|secret|token)\w*\s*=\s*)([^]+)$/iu;

/** Returns the parts of a text that are credentials. A name of a user without a password is none. */
export const credentialsIn = (text: string): readonly string[] => {
  const info = userInfo.exec(text)?.[2] ?? '';
  const password = info.includes(':') ? info.slice(info.indexOf(':') + 1) : '';
  return [password, keyword.exec(text)?.[2] ?? ''].filter((part) => part !== '');
};

/** Returns a text with `by` in place of each part. */
export const withoutParts = (text: string, parts: readonly string[], by: string): string =>
  parts
    .toSorted((one, other) => other.length - one.length)
    .reduce((shown, part) => shown.replaceAll(part, () => by), text);

/** Returns a given store, file or address as it may be printed: with `***` in place of its credentials. */
export const withoutCredentials = (text: string): string => {
  const read = decoded(text);
  const parts = credentialsIn(read);
  return parts.length === 0 ? text : withoutParts(read, parts, hidden);
};
