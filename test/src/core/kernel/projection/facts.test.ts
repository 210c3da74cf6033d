import { expect, test } from 'vitest';
import { factTypes } from '../../../../../machines/index.ts';
import { meaningOf } from '../../../../../src/core/kernel/projection/facts.ts';

test('every fact has a row for what it changes in a ledger, or is known to change nothing there', () => {
  expect(factTypes.filter((type) => Object.keys(meaningOf(type)).length === 0).toSorted()).toEqual([
    'call.cleared',
    'capability.exceeded',
    'evidence.changed',
    'help.requested',
    'information.requested',
    'output.changed',
    'output.rejected',
    'question.raised',
    'request.accepted',
    'request.refused',
    'run.failed',
    'task.cancelled',
    'taskClass.changed',
    'verifier.reported',
  ]);
});
