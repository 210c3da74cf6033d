import { isObject } from '../boundary/is-object.ts';
import { pointerTo } from '../canonical/unreadable.ts';

/** A value without members, and its place. */
export interface Leaf {
  readonly pointer: string;
  readonly value: unknown;
}

const collect = (value: unknown, path: readonly string[], leaves: Leaf[]): void => {
  const members = isObject(value) || Array.isArray(value) ? Object.entries(value) : [];
  for (const [name, one] of members) collect(one, [...path, name], leaves);
  const isWithout = typeof value !== 'object' || value === null || path.length > 0;
  if (members.length === 0 && isWithout) leaves.push({ pointer: pointerTo(path), value });
};

/** Returns the values without members in a JSON value, in its order. */
export const leavesOf = (value: unknown): readonly Leaf[] => {
  const leaves: Leaf[] = [];
  collect(value, [], leaves);
  return leaves;
};

/** The fewest characters of a text, and digits of a number, that say where it comes from. */
const fewest = { characters: 6, digits: 5 };

/** Returns the normal form of a text: NFC, trimmed, one space for each run of white space, in one case. */
export const normalText = (text: string): string =>
  text.normalize('NFC').trim().replaceAll(/\s+/gu, ' ').toLowerCase();

/**
 * Returns the normal form by which a value is found; `undefined` for one that says too little: a boolean, `null`, a text
 * of fewer than 6 characters, a number of fewer than 5 digits.
 */
export const normalForm = (value: unknown): string | undefined => {
  if (typeof value === 'string') {
    const text = normalText(value);
    return text.length < fewest.characters ? undefined : text;
  }
  if (typeof value !== 'number') return undefined;
  const text = String(value);
  return text.replaceAll(/\D/g, '').length < fewest.digits ? undefined : text;
};

/** Returns whether a form stands in a text as a whole: between two places where another text may end and begin. */
const standsBetween = (form: string, text: string, before: RegExp, after: RegExp): boolean => {
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1))
    if (
      before.test(text.slice(Math.max(0, at - 1), at)) &&
      after.test(text.slice(at + form.length, at + form.length + 2))
    )
      return true;
  return false;
};

const before = /^$|[\s"'([{<,;:=]$/u;
const after = /^$|^[\s"')\]}>,;:!?]|^\.(?:\s|$)/u;

/** Returns whether a normal form stands in a text as a whole: between white space, quotes, brackets or punctuation. */
export const standsIn = (form: string, text: string): boolean => standsBetween(form, text, before, after);

const decoded = (run: string): string => {
  try {
    return decodeURIComponent(run);
  } catch {
    return run;
  }
};

/** Returns a text without what a writer may add to it: percent-encoding, other forms of its letters, and case. */
const plainText = (text: string): string =>
  normalText(text.replaceAll(/(?:%[\da-f]{2})+/giu, decoded).normalize('NFKC'));

const bareOf = (plain: string): string => plain.replaceAll(/[^\p{L}\p{N}]+/gu, '');

const isBareEnough = (bare: string): boolean =>
  bare.length >= (/^\d+$/.test(bare) ? fewest.digits : fewest.characters);

/** A normal form, and what is left of it however it is written. */
export interface Spelling {
  readonly form: string;
  /** Without percent-encoding and forms of letters. */
  readonly plain: string;
  /** The letters and digits alone. */
  readonly bare: string;
  /** The addresses, numbers and other names with digits or punctuation, as letters and digits. */
  readonly identifiers: readonly string[];
}

const identifiersIn = (plain: string): readonly string[] =>
  plain
    .replaceAll(/(?<=\d)[\s-](?=\d)/gu, '')
    .split(/\s+/u)
    .filter((token) => /[\p{N}@:/]|\p{L}\.\p{L}/u.test(token))
    .map(bareOf)
    .filter(isBareEnough);

/** Returns the spelling of a normal form. */
export const spellingOf = (form: string): Spelling => {
  const plain = plainText(form);
  return { form, plain, bare: bareOf(plain), identifiers: identifiersIn(plain) };
};

const isWithin = ({ bare }: Spelling, other: Spelling): boolean =>
  isBareEnough(bare) && other.bare.includes(bare);

/**
 * Returns whether a value repeats a text, however it is written: the text has the whole of it, or one has an identifier of
 * the other. This takes trust away, so it finds more than `standsIn`, which gives it.
 */
export const isRepeating = (value: Spelling, text: Spelling): boolean =>
  standsIn(value.form, text.form) ||
  isWithin(value, text) ||
  value.identifiers.some((token) => text.bare.includes(token)) ||
  text.identifiers.some((token) => value.bare.includes(token));

const beforeEcho = /^$|[^\p{L}\p{N}@._+-]$/u;
const afterEcho = /^$|^[^\p{L}\p{N}@._+-]|^\.(?:\s|$)/u;

/** Returns whether a value of a result stands in what its call asked, or has it in it, however it is written. */
export const isEchoing = (value: Spelling, asked: Spelling): boolean =>
  standsIn(value.form, asked.form) ||
  isWithin(value, asked) ||
  value.bare === asked.bare ||
  standsBetween(asked.plain, value.plain, beforeEcho, afterEcho);

/** The fewest words in a row by which one text quotes another. */
const fewestWords = 3;

/** Returns the runs of words of a normal form that quote it, without punctuation. */
const quotesOf = (text: string): readonly string[] => {
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.slice(fewestWords - 1).map((_, at) => words.slice(at, at + fewestWords).join(' '));
};

/** Returns whether one value has the other in it, however it is written, or three words of it in a row. */
export const isQuoting = (one: Spelling, other: Spelling): boolean => {
  if (standsIn(one.form, other.form) || standsIn(other.form, one.form)) return true;
  if (isWithin(one, other) || isWithin(other, one)) return true;
  const quotes = new Set(quotesOf(one.form));
  return quotesOf(other.form).some((words) => quotes.has(words));
};
