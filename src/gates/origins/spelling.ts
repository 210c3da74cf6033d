import { decoded, folded, spelledOut } from './decoded.ts';
import { fewest } from './leaves.ts';

/** A text, and what is left of it however it is written. */
export interface Spelling {
  /** The text itself, without escapes, marks and forms of letters: what is looked for in others. */
  readonly own: string;
  /** The same, and after it all that it may be read as: what others are looked for in. */
  readonly plain: string;
  /** The letters and digits of `plain` alone. */
  readonly bare: string;
  /** The letters and digits of `own` alone. */
  readonly ownBare: string;
  /** The addresses, numbers and other names with digits or punctuation, as letters and digits. */
  readonly identifiers: readonly string[];
}

const bareOf = (plain: string): string => plain.replaceAll(/[^\p{L}\p{N}]+/gu, '');

const isBareEnough = (bare: string): boolean =>
  bare.length >= (/^\d+$/.test(bare) ? fewest.digits : fewest.characters);

const identifiersIn = (plain: string): readonly string[] =>
  plain
    .replaceAll(/(?<=\d)[\s-](?=\d)/gu, '')
    .split(/\s+/u)
    .filter((token) => /[\p{N}@:/]|\p{L}\.\p{L}/u.test(token))
    .map(bareOf)
    .filter(isBareEnough);

/** Returns the spelling of a text. */
export const spellingOf = (text: string): Spelling => {
  const readings = decoded(text).map(folded);
  const [own = ''] = readings;
  const plain = spelledOut(readings.join(' '));
  return { own, plain, bare: bareOf(plain), ownBare: bareOf(own), identifiers: identifiersIn(plain) };
};

const isWithin = ({ ownBare }: Spelling, other: Spelling): boolean =>
  isBareEnough(ownBare) && other.bare.includes(ownBare);

/**
 * Returns whether a value repeats a text, however it is written: the text has the whole of it, or one has an identifier of
 * the other. This takes trust away, so it finds more than `standsIn`, which gives it.
 */
export const isRepeating = (value: Spelling, text: Spelling): boolean =>
  text.plain.includes(value.own) ||
  isWithin(value, text) ||
  value.identifiers.some((token) => text.bare.includes(token)) ||
  text.identifiers.some((token) => value.bare.includes(token));

const beforeEcho = /^$|[^\p{L}\p{N}@._+-]$/u;
const afterEcho = /^$|^[^\p{L}\p{N}@._+-]|^\.(?:\s|$)/u;

/** Returns whether what was asked stands in a value: between two places where another text may end and begin. */
const standsApart = (asked: string, value: string): boolean => {
  for (let at = value.indexOf(asked); at !== -1; at = value.indexOf(asked, at + 1)) {
    const end = at + asked.length;
    if (beforeEcho.test(value.slice(Math.max(0, at - 1), at)) && afterEcho.test(value.slice(end, end + 2)))
      return true;
  }
  return false;
};

/** Returns whether a value of a result stands in what its call asked, or has it in it, however it is written. */
export const isEchoing = (value: Spelling, asked: Spelling): boolean =>
  asked.plain.includes(value.own) ||
  isWithin(value, asked) ||
  value.ownBare === asked.ownBare ||
  standsApart(asked.own, value.plain);

/** The fewest words in a row by which one text quotes another. */
const fewestWords = 3;

/** Returns the runs of words of a text that quote it, without punctuation. */
const quotesOf = (plain: string): readonly string[] => {
  const words = plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.slice(fewestWords - 1).map((_, at) => words.slice(at, at + fewestWords).join(' '));
};

/** Returns whether one value has the other in it, however it is written, or three words of it in a row. */
export const isQuoting = (one: Spelling, other: Spelling): boolean => {
  if (one.plain.includes(other.own) || other.plain.includes(one.own)) return true;
  if (isWithin(one, other) || isWithin(other, one)) return true;
  const quotes = new Set(quotesOf(one.plain));
  return quotesOf(other.plain).some((words) => quotes.has(words));
};
