import { readJson } from '../../base/boundary/read-json.ts';
import { isDeeplyFrozen } from '../../base/canonical/deep-freeze.ts';
import type { Effort } from './effort.ts';
import { leavesOf, normalForm, soughtForm, standsIn, textForm, tokensOf, type Leaf } from './leaves.ts';

/** Returns a function of a document whose results are kept for documents that cannot change. */
export const cachedByDocument = <Result>(
  compute: (value: unknown) => Result,
): ((value: unknown) => Result) => {
  const known = new WeakMap<object, Result>();
  return (value) => {
    if (typeof value !== 'object' || value === null) return compute(value);
    const found = known.get(value);
    if (found !== undefined) return found;
    const result = compute(value);
    if (isDeeplyFrozen(value)) known.set(value, result);
    return result;
  };
};

/** A text or a number of a document, with its normal form and its number in the document. */
interface IndexedLeaf extends Leaf {
  readonly form: string;
  readonly at: number;
}

/** The texts and numbers of a document, by value and by the tokens that they have. */
interface TextIndex {
  readonly byValue: ReadonlyMap<unknown, readonly IndexedLeaf[]>;
  readonly byToken: ReadonlyMap<string, readonly IndexedLeaf[]>;
}

const listed = <Key>(lists: Map<Key, IndexedLeaf[]>, key: Key, leaf: IndexedLeaf): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [leaf]);
  else if (list.at(-1) !== leaf) list.push(leaf);
};

/** Returns a value, and the values in it if it is a text in JSON: many tools answer so. Each stands where the text does. */
const readingsOf = (value: unknown): readonly unknown[] => {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return [value];
  try {
    return [value, ...leavesOf(readJson('a text', value)).map((leaf) => leaf.value)];
  } catch {
    return [value]; // it is another text
  }
};

const indexOf = cachedByDocument((document): TextIndex => {
  const byValue = new Map<unknown, IndexedLeaf[]>();
  const byToken = new Map<string, IndexedLeaf[]>();
  for (const [at, { pointer, value: whole }] of leavesOf(document).entries())
    for (const value of readingsOf(whole)) {
      if (typeof value !== 'string' && typeof value !== 'number') continue;
      const indexed = { pointer, value, at, form: textForm(String(value)) };
      listed(byValue, value, indexed);
      for (const token of new Set(tokensOf(indexed.form))) listed(byToken, token, indexed);
    }
  return { byValue, byToken };
});

/** Returns the leaves that have every token of a form at least, as far as one list of the index says. */
const candidates = ({ byToken }: TextIndex, form: string): readonly IndexedLeaf[] => {
  const lists = tokensOf(form)
    .filter((token) => token !== '')
    .map((token) => byToken.get(token) ?? []);
  return lists.reduce<readonly IndexedLeaf[]>(
    (fewest, list) => (list.length < fewest.length ? list : fewest),
    lists[0] ?? [],
  );
};

/**
 * Returns where a value stands in a document: alone, or as whole tokens of a longer text. Nothing for a value that says too
 * little, or once the effort is spent.
 */
export const placesIn = (document: unknown, value: unknown, effort: Effort): readonly Leaf[] => {
  if (normalForm(value) === undefined) return [];
  const index = indexOf(document);
  const form = soughtForm(value);
  const found = new Map(index.byValue.get(value)?.map((leaf) => [leaf.at, leaf]));
  for (const leaf of form === undefined ? [] : candidates(index, form)) {
    if (effort.isSpent) break;
    if (found.has(leaf.at)) continue;
    if (effort.allows(leaf.form.length) && standsIn(form ?? '', leaf.form)) found.set(leaf.at, leaf);
  }
  return [...found.values()].toSorted((one, other) => one.at - other.at);
};
