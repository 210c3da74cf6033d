/** What feedback weighs, in its sender's words or numbers (UpFormat Table 2, `metadata`). */
export interface Weighed {
  readonly severity?: string | number;
  readonly priority?: string | number;
  readonly question: { readonly deadline: string | null };
}

type Order = (one: Weighed, other: Weighed) => number;

/** Words that everybody understands, on the scale of the numbers. */
const words: ReadonlyMap<string, number> = new Map([
  ['critical', 4],
  ['high', 3],
  ['medium', 2],
  ['low', 1],
]);

/** Below every number, a word that is not known; below that, nothing said. */
const unknownWord = -Number.MAX_VALUE;

const weightOf = (weight: string | number | undefined): number => {
  if (weight === undefined) return -Infinity;
  return typeof weight === 'number' ? weight : (words.get(weight.toLowerCase()) ?? unknownWord);
};

/** The heavier first; equal ones, two infinities too, are even. */
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
