import * as z from 'zod';
import type { Doubt } from '../ports/tool.ts';

const doubts = ['idempotent', 'reconcilable', 'unsafe'] as const satisfies readonly Doubt[];

export const DoubtName = z.enum(doubts);

/** Returns whether `lookup` is given exactly if `doubt` is `reconcilable`. */
export const hasMatchingLookup = ({
  doubt,
  lookup,
}: {
  readonly doubt?: Doubt | undefined;
  readonly lookup?: unknown;
}): boolean => (doubt === 'reconcilable') === (lookup !== undefined);

export const lookupIssue = {
  path: ['lookup'],
  message: 'expected a function with doubt: "reconcilable", and none with any other doubt',
};
