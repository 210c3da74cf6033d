import { expect, test } from 'vitest';
import { ruleOf } from '../../../../../machines/facts/index.ts';
import { factTypes } from '../../../../../machines/index.ts';
import { meaningOf } from '../../../../../src/core/kernel/projection/facts.ts';
import { emptyProjection } from '../../../../../src/core/kernel/projection/projection.ts';

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
    'taskClass.changed',
  ]);
});

/** The facts that have a member of a row. */
const withMember = (member: 'changesLate' | 'ends'): readonly string[] =>
  factTypes.filter((type) => meaningOf(type)[member] !== undefined).toSorted();

test('a fact that may be late, or goes on with a late write, changes something as an orphan too', () => {
  expect(withMember('changesLate')).toEqual([
    'call.doubted',
    'call.failed',
    'call.succeeded',
    'recovery.started',
    'rollback.failed',
    'rollback.started',
    'rollback.succeeded',
  ]);
  expect(factTypes.filter((type) => ruleOf(type).mayBeLate === true).toSorted()).toEqual([
    'call.doubted',
    'call.failed',
    'call.succeeded',
    'policy.decided',
    'rollback.failed',
    'rollback.succeeded',
    'verifier.reported',
  ]);
});

test('these facts say what became of a call', () => {
  expect(withMember('ends')).toEqual([
    'call.doubted',
    'call.failed',
    'call.refused',
    'call.started',
    'call.succeeded',
    'human.responded',
    'policy.decided',
    'rollback.failed',
    'rollback.succeeded',
  ]);
});

test('a cancellation that is urgent stays so when another follows', () => {
  const { changes } = meaningOf('task.cancelled');
  const before = emptyProjection({} as never, 'trace');
  const then = { ...before, ...changes?.(before, { type: 'task.cancelled', urgent: true }, {} as never) };
  expect(then.isUrgent).toBe(true);
  expect(changes?.(then, { type: 'task.cancelled' }, {} as never)).toEqual({ isUrgent: true });
});
