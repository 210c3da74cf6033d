/** A second reading of when a value stands in a text, and when one repeats another. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

const wordsOf = (text: string): string =>
  text.normalize('NFC').toLowerCase().split(/\s/u).filter(Boolean).join(' ');

/** What is looked for: texts of six characters and numbers of five digits, at least. */
export const needle = (value: Json): string | null => {
  if (typeof value === 'string') return wordsOf(value).length >= 6 ? wordsOf(value) : null;
  if (typeof value !== 'number') return null;
  return (String(value).match(/\d/g)?.length ?? 0) >= 5 ? String(value) : null;
};

/** A text whose words are not broken by the ends of its lines. */
const unbroken = (text: string): string =>
  text.replace(/([^\s=])=[ \t]*\r?\n/g, '$1').replace(/([\p{L}\p{N}]-)\r?\n[ \t>]*/gu, '$1');

export const haystack = (value: Json): string | null =>
  typeof value === 'string' ? wordsOf(unbroken(value)) : typeof value === 'number' ? String(value) : null;

const opens = /^[\p{Ps}\p{Pi}\p{Pf}"'`<¿¡]*$/u;
const closes = /^[\p{Pe}\p{Pi}\p{Pf}"'`>.,;:!?…、。，；：！？،؛؟۔।]*$/u;

const isShort = (word: string): boolean => /^[+-]?[a-z]{0,2}[0-9]{1,4}$/.test(word);

/** Whether a number that is written in groups begins before a value, or goes on after it. */
const goesOn = (what: string, before: string, after: string): boolean => {
  const words = what.split(' ');
  const [previous = ''] = before.endsWith(' ')
    ? before
        .trim()
        .split(/[ ("'<[;>]/)
        .slice(-1)
    : [];
  const [, next = ''] = /^ ([0-9]{1,4})(?![\p{L}\p{N}])/u.exec(after) ?? [];
  const isGroup = /^[0-9]{1,4}(?![0-9])/.test(what) || /^[a-z]{4} [0-9]/.test(what);
  const isLocal = /^[0-9(]/.test(what) && /\+[0-9 ()-]+ $/.test(before.slice(-24));
  const isDialled = /^\+[0-9 ()-]+$/.test(what) && /^ [0-9]/.test(after);
  return (isGroup && isShort(previous)) || isLocal || (isShort(words.at(-1)!) && next !== '') || isDialled;
};

/** Whether a value is whole words of a text; only quotes, brackets and the like may be at its ends. */
export const stands = (what: string, where: string): boolean =>
  Array.from({ length: where.length }, (_, start) => start).some((start) => {
    if (!where.startsWith(what, start)) return false;
    const before = where.slice(0, start).split(' ').at(-1)!;
    const rest = where.slice(start + what.length);
    const [after] = rest.split(' ');
    const isCut = after!.includes('…') || after!.includes('..');
    return opens.test(before) && closes.test(after!) && !isCut && !goesOn(what, where.slice(0, start), rest);
  });

/** Whether a text is shown as it is: composed, on one line, without what is not seen. */
export const isPlain = (value: Json): boolean =>
  typeof value !== 'string' ||
  (value === value.normalize('NFC') && /^(?:[^\p{Cc}\p{Cf}\s]| )*$/u.test(value));

const split = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

/** A text as its writer may have dressed it: percent-encoded, in wide letters, with accents, in capitals. */
const undressed = (text: string): string => {
  const parts = text.split(/((?:%[0-9A-Fa-f]{2})+)/);
  const plain = parts.map((part, index) => {
    if (index % 2 === 0) return part;
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  const naked = plain.join('').toLowerCase().split('ß').join('ss').normalize('NFKD').replace(/\p{M}/gu, '');
  return wordsOf(naked).replace(/([aou])e/g, '$1');
};

const letters = (text: string): string => split(undressed(text)).join('');

const isLong = (text: string): boolean => text.length >= (/^[0-9]+$/.test(text) ? 5 : 6);

const isPart = (what: string, where: string): boolean => undressed(where).includes(undressed(what));

const contains = (where: string, what: string): boolean =>
  isLong(letters(what)) && letters(where).includes(letters(what));

/** Addresses, account numbers and the like, whose digits may be in groups. */
const names = (text: string): readonly string[] =>
  undressed(text)
    .replace(/([0-9])[\s-](?=[0-9])/g, '$1')
    .split(/\s+/u)
    .filter((word) => /[\p{N}@:/]/u.test(word) || /\p{L}\.\p{L}/u.test(word))
    .map(letters)
    .filter(isLong);

/** Whether a person who says one thing may have it from the other. */
export const mayBeFrom = (what: string, where: string): boolean =>
  isPart(what, where) ||
  contains(where, what) ||
  names(what).some((name) => letters(where).includes(name)) ||
  names(where).some((name) => letters(what).includes(name));

const edge = (text: string, index: number, step: 1 | -1): boolean => {
  const next = text[index] ?? '';
  const isFullStop = step === 1 && next === '.' && /^\s?$/u.test(text[index + 1] ?? '');
  return next === '' || isFullStop || !/[\p{L}\p{N}@._+-]/u.test(next);
};

/** Whether a result only says again what its call said. */
export const isSaidAgain = (result: string, asked: string): boolean => {
  const [one, other] = [undressed(result), undressed(asked)];
  const isAround = Array.from(one).some((_, start) => {
    if (!one.startsWith(other, start)) return false;
    return edge(one, start - 1, -1) && edge(one, start + other.length, 1);
  });
  return isPart(result, asked) || contains(asked, result) || letters(result) === letters(asked) || isAround;
};

/** Whether a person who says one value tells the other: all of it, or three words of it. */
export const quotes = (one: Json, other: Json): boolean => {
  const [told, secret] = [needle(one), needle(other)];
  if (told === null || secret === null) return false;
  const [spoken, words] = [split(undressed(told)), split(undressed(secret))];
  const has = (three: readonly string[]): boolean =>
    spoken.some((_, start) => three.every((word, offset) => spoken[start + offset] === word));
  return (
    isPart(told, secret) ||
    isPart(secret, told) ||
    contains(told, secret) ||
    contains(secret, told) ||
    words.some((_, start) => start + 2 < words.length && has(words.slice(start, start + 3)))
  );
};
