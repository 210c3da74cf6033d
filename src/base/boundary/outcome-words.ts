import type { Outcome, ReasonCode } from '../../../schema/index.ts';

const words: Readonly<Record<Outcome, string>> = {
  success: 'Delivered',
  failure: 'Failed',
  uncertain: 'Not delivered',
  pending: 'In progress',
};

/** Returns the outcome of a task in words: the specification calls a write that its policy refused `uncertain`. */
export const outcomeInWords = (outcome: Outcome, codes: readonly ReasonCode[]): string => {
  if (outcome !== 'uncertain') return words[outcome];
  if (codes.includes('POLICY_BLOCKED')) return 'Refused by policy';
  return codes.includes('HUMAN_REJECTED') ? 'Rejected by a person' : words.uncertain;
};
