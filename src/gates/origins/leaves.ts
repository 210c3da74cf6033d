import { referenceOf } from '../../base/canonical/blobs.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { pointerTo } from '../../base/canonical/unreadable.ts';

/** A value without members, or the name of a member, and its place. */
export interface Leaf {
  readonly pointer: string;
  readonly value: unknown;
  /** It is the name of the member at the pointer. */
  readonly isName?: true;
}

const collect = (value: unknown, path: readonly string[], leaves: Leaf[], withNames: boolean): void => {
  if (referenceOf(value) !== undefined) return; // what it says is not what its tool returned
  const isNamed = isObject(value);
  const members = isNamed || Array.isArray(value) ? Object.entries(value) : [];
  for (const [name, one] of members) {
    const below = [...path, name];
    if (isNamed && withNames) leaves.push({ pointer: pointerTo(below), value: name, isName: true });
    collect(one, below, leaves, withNames);
  }
  const isWithout = typeof value !== 'object' || value === null || path.length > 0;
  if (members.length === 0 && isWithout) leaves.push({ pointer: pointerTo(path), value });
};

/** Returns the values without members in a JSON value, in its order. */
export const leavesOf = (value: unknown): readonly Leaf[] => {
  const leaves: Leaf[] = [];
  collect(value, [], leaves, false);
  return leaves;
};

/** Returns the values without members in a JSON value, each after the names that lead to it. */
export const namesAndLeavesOf = (value: unknown): readonly Leaf[] => {
  const leaves: Leaf[] = [];
  collect(value, [], leaves, true);
  return leaves;
};

/** The fewest characters of a text, and digits of a number, that say where it comes from. */
export const fewest = { characters: 6, digits: 5 };

/** Returns the normal form of a text: NFC, trimmed, one space for each run of white space, in one case. */
export const normalText = (text: string): string =>
  text.normalize('NFC').trim().replaceAll(/\s+/gu, ' ').toLowerCase();

/**
 * Returns the normal form of a value; `undefined` for one that says too little: a boolean, `null`, a text of fewer than 6
 * characters, a number of fewer than 5 digits.
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

/** What a value may not have to be found in a text: what is not seen, line breaks, and blanks that are no space. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\s/u;

/**
 * Returns the normal form by which a value is looked for in a text; `undefined` for one that says too little, or that
 * the text would show otherwise than it is.
 */
export const soughtForm = (value: unknown): string | undefined =>
  typeof value === 'string' && (unseen.test(value) || value !== value.normalize('NFC'))
    ? undefined
    : normalForm(value);

/** The punctuation at the edges of a token: it is no part of it. */
const opening = /[\p{Ps}\p{Pi}\p{Pf}"'`<¿¡]/u;
const closing = /[\p{Pe}\p{Pi}\p{Pf}"'`>.,;:!?…、。，；：！？،؛؟۔।]/u;

/** Returns the index of the first character from here that is no punctuation of an edge. */
const pastEdge = (text: string, from: number, step: 1 | -1, punctuation: RegExp): number => {
  let at = from;
  while (punctuation.test(text.charAt(at))) at += step;
  return at;
};

const isBlank = (character: string): boolean => character === ' ' || character === '';

/** The most characters of a text that are looked at before a number and after it. */
const mostAround = 24;

/** Returns whether a form is some groups of a longer number: `0532 0130` of an account, `234 567,89` of an amount. */
const isPartOfNumber = (form: string, text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - mostAround), at);
  const after = text.slice(at + form.length, at + form.length + mostAround);
  return (
    (/^(?:\d{1,4}(?!\d)|[a-z]{4} \d)/.test(form) &&
      /(?<![^ ("'<[;>])[+-]?[a-z]{0,2}\d{1,4} $/.test(before)) ||
    (/^[\d(]/.test(form) && /\+[\d ()-]+ $/.test(before)) ||
    (/(?<![^ ])[+-]?[a-z]{0,2}\d{1,4}$/.test(form) && /^ \d{1,4}(?![\p{L}\p{N}])/u.test(after)) ||
    (/^\+[\d ()-]+$/.test(form) && /^ \d/.test(after))
  );
};

/**
 * Returns whether a normal form is a run of whole tokens of a text: from blank to blank, without the punctuation at both
 * ends. A part of a token is another value, and so is a token before an ellipsis, and a part of a number in groups.
 */
export const standsIn = (form: string, text: string): boolean => {
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + 1)) {
    const end = pastEdge(text, at + form.length, 1, closing);
    if (
      isBlank(text.charAt(pastEdge(text, at - 1, -1, opening))) &&
      isBlank(text.charAt(end)) &&
      !/…|\.\./.test(text.slice(at + form.length, end)) &&
      !isPartOfNumber(form, text, at)
    )
      return true;
  }
  return false;
};

/** A line that ends within a token: by a soft break of quoted-printable text, or after a hyphen. */
const brokenLine = /(?<=[^\s=])=[ \t]*\r?\n|(?<=[\p{L}\p{N}]-)\r?\n[ \t>]*/gu;

/** Returns the normal form of a text in which values are looked for: a token that goes on in the next line is one. */
export const textForm = (text: string): string => normalText(text.replaceAll(brokenLine, ''));

/** Returns the tokens of a normal form, without the punctuation at their edges. */
export const tokensOf = (form: string): readonly string[] =>
  form.split(' ').map((token) => {
    const begin = pastEdge(token, 0, 1, opening);
    return token.slice(begin, Math.max(begin, pastEdge(token, token.length - 1, -1, closing) + 1));
  });
