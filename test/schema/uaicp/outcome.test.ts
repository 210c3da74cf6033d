import { expect, test } from 'vitest';
import { Outcome } from '../../../schema/index.ts';

test('The outcomes are the four of the envelope schema', () => {
  expect(Outcome.options).toEqual(['success', 'failure', 'uncertain', 'pending']);
});
