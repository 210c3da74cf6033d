import { stemmed, termOf } from './words.ts';

/** A kind of text that has a JSON Schema format, and the English words that name it. */
export interface Kind {
  /** Every description of the kind has one of these, if there are any. */
  readonly values: ReadonlySet<string>;
  /** They name the kind and no other. */
  readonly names: ReadonlySet<string>;
  /** They say nothing more of such a value. */
  readonly neutral: ReadonlySet<string>;
  /** What any value of the kind is for: a target field may be named so. */
  readonly uses: ReadonlySet<string>;
  /** Another field with one of these may be of the kind too. */
  readonly mention: RegExp;
}

const setOf = (words: string): ReadonlySet<string> => new Set(stemmed(words));

/** The kinds that a name and a description can tell. Times and identifiers are none: several differ by role. */
export const kinds: readonly Kind[] = [
  {
    names: setOf('email'),
    values: setOf('address'),
    neutral: setOf('mail contact'),
    uses: setOf('recipient receiver addressee to'),
    mention: /mail|addr|adress|contact|inbox|@/u,
  },
  {
    names: setOf('url uri'),
    values: setOf(''),
    neutral: setOf('web link hyperlink address'),
    uses: setOf(''),
    mention: /ur[il]|link|web|href|site|page|addr/u,
  },
];

const fillers = new Set(['a', 'an', 'the']);

/** Returns the stems of a noun phrase and of what follows "of" or "for"; `undefined` if it is no plain phrase. */
export function phraseOf(
  text: string,
): readonly [head: readonly string[], rest: readonly string[]] | undefined {
  const plain = text.toLowerCase().replaceAll('e-mail', 'email');
  if (!/^[\p{L}\s.,'’()-]+$/u.test(plain)) return undefined;
  const words = (plain.match(/\p{L}+/gu) ?? []).filter((word) => !fillers.has(word));
  const end = words.findIndex((word) => word === 'of' || word === 'for');
  const stems = words.map((word) => termOf(word) ?? word); // a verb such as "has" must not disappear
  return end < 0 ? [stems, []] : [stems.slice(0, end), stems.slice(end).filter((_, at) => at > 0)];
}

/** Returns whether a noun phrase names the kind and nothing else, except what it is part of. */
export function isPhraseOf(
  { names, values, neutral }: Kind,
  text: string,
  owner: ReadonlySet<string>,
): boolean {
  const phrase = phraseOf(text);
  if (phrase === undefined) return false;
  const [head, rest] = phrase;
  const last = head.at(-1) ?? '';
  return (
    [names, values, neutral].some((words) => words.has(last)) &&
    !(neutral.has(last) && values.size > 0) &&
    head.every((word) => [names, values, neutral, owner].some((words) => words.has(word))) &&
    rest.every((word) => owner.has(word))
  );
}

/** Returns whether words have those that the kind cannot be named without. */
export const isNamed = ({ names, values }: Kind, words: readonly string[]): boolean =>
  words.some((word) => names.has(word)) && (values.size === 0 || words.some((word) => values.has(word)));
