import type { Figure } from '../goals.ts';
import { shown } from '../table.ts';

/** What was measured in one round, and what it is beside. */
export type Pair = readonly [own: number, beside: number];

/**
 * Returns the round whose ratio is the median: what slows a round slows both sides of it, so that ratios of one round hold
 * where times do not.
 */
export const medianRatio = (rounds: readonly Pair[], unit: string): Figure => {
  const sorted = rounds.toSorted(([a, b], [c, d]) => a / b - c / d);
  const [own, beside] = sorted[sorted.length >> 1] ?? [Number.NaN, Number.NaN];
  return { value: own / beside, of: `${shown(own)} ${unit} beside ${shown(beside)} ${unit}` };
};
