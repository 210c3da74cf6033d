import type { Fact } from '../../machines/index.ts';
import { told } from './told.ts';

/** How many there are of each kind. */
export type Tally = Readonly<Record<string, number>>;

/** How many there are of each kind, the kinds in alphabetical order. */
export const tally = (kinds: readonly string[]): Tally => {
  const counts = new Map<string, number>();
  for (const kind of kinds.toSorted()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return Object.fromEntries(counts);
};

/** One step, so that both checkers tell of it alike: what was said, from where to where, and why the run fails since. */
export const stepText = (from: string, said: Fact, to: string, why: readonly string[]): string =>
  [from, told(said), to, ...why].join(' ').trim();
