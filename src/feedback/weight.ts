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
