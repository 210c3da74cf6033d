import { expect, it } from 'vitest';
import { outcomeInWords } from '../../../../src/base/boundary/outcome-words.ts';

it.each([
  ['success', [], 'Delivered'],
  ['pending', [], 'In progress'],
  ['failure', ['TOOL_FAILED'], 'Failed'],
  ['uncertain', ['EVIDENCE_MISSING'], 'Not delivered'],
  ['uncertain', ['POLICY_BLOCKED'], 'Refused by policy'],
  ['uncertain', ['HUMAN_REJECTED'], 'Rejected by a person'],
] as const)('says %s with %j as %s', (outcome, codes, words) => {
  expect(outcomeInWords(outcome, codes)).toBe(words);
});
