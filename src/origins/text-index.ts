import { isDeeplyFrozen } from '../canonical/deep-freeze.ts';
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

const indexOf = cachedByDocument((value): TextIndex => {
  const byValue = new Map<unknown, IndexedLeaf[]>();
  const byToken = new Map<string, IndexedLeaf[]>();
  for (const [at, leaf] of leavesOf(value).entries()) {
    if (typeof leaf.value !== 'string' && typeof leaf.value !== 'number') continue;
    const indexed = { ...leaf, at, form: textForm(String(leaf.value)) };
    listed(byValue, leaf.value, indexed);
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
  const found = new Set(index.byValue.get(value));
  for (const leaf of form === undefined ? [] : candidates(index, form))
    if (effort.allows(leaf.form.length) && standsIn(form ?? '', leaf.form)) found.add(leaf);
  return [...found].toSorted((one, other) => one.at - other.at);
};
