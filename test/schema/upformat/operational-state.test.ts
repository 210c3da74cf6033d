import { expect, test } from 'vitest';
import { OperationalState } from '../../../schema/index.ts';

test('The operational states are the seven of UpFormat Table 2', () => {
  expect(OperationalState.options).toEqual([
    'submitted',
    'waiting',
    'completed',
    'failed',
    'needsHumanDecision',
    'followup',
    'cancelled',
  ]);
});
