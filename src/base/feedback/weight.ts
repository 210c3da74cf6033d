/** The weight of feedback, as words or numbers (UpFormat Table 2, `metadata`). */
export interface Weighed {
  readonly severity?: string | number;
  readonly priority?: string | number;
  readonly question: { readonly deadline: string | null };
}

type Order = (one: Weighed, other: Weighed) => number;

/** Known words, on the scale of the numbers. */
const words: ReadonlyMap<string, number> = new Map([
  ['critical', 4],
  ['high', 3],
  ['medium', 2],
  ['low', 1],
]);

/** The weight of an unknown word: below every number, and above no weight. */
const unknownWord = -Number.MAX_VALUE;

const weightOf = (weight: string | number | undefined): number => {
  if (weight === undefined) return -Infinity;
  return typeof weight === 'number' ? weight : (words.get(weight.toLowerCase()) ?? unknownWord);
};

/** Compares descending; equal values, including infinities, compare as 0. */
const heavierFirst = (one: number, other: number): number => (one === other ? 0 : other - one);

/** The key of no value: it sorts after the keys of all values. */
const last = 'z';

/** Returns 16 characters that sort like the numbers. */
const ascending = (value: number): string => {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value + 0); // -0 becomes 0
  const read = bits.getBigUint64(0);
  const isNegative = read >> 63n === 1n;
  const sortable = isNegative ? BigInt.asUintN(64, ~read) : read | (1n << 63n);
  return sortable.toString(16).padStart(16, '0');
};

const heaviestFirst = (weight: string | number | undefined): string =>
  weight === undefined ? last : ascending(-weightOf(weight));

const due = ({ question: { deadline } }: Weighed): number =>
  deadline === null ? Infinity : Date.parse(deadline);

const by =
  (first: 'severity' | 'priority', second: 'severity' | 'priority'): Order =>
  (one, other) =>
    heavierFirst(weightOf(one[first]), weightOf(other[first])) ||
    heavierFirst(weightOf(one[second]), weightOf(other[second])) ||
    heavierFirst(due(other), due(one));

/**
 * Orders an inbox by priority, then severity, then deadline: `inbox.toSorted(byPriority)`.
 *
 * Larger numbers come first; `critical`, `high`, `medium` and `low` count as 4 to 1, other words as less than any number.
 */
export const byPriority: Order = by('priority', 'severity');

/** Orders an inbox by severity, then priority, then deadline; see `byPriority`. */
export const bySeverity: Order = by('severity', 'priority');

/** Returns a text that sorts like `byPriority`, by its characters. */
export const rankOf = (one: Weighed): string => {
  const { priority, severity } = one;
  const deadline = due(one);
  return [
    heaviestFirst(priority),
    heaviestFirst(severity),
    Number.isFinite(deadline) ? ascending(deadline) : last,
  ].join('');
};
