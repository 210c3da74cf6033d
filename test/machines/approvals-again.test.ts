import { describe, expect, test } from 'vitest';
import { callOf } from 'agentcharter/testing';
import { disapproved } from '../../machines/approvals.ts';
import { bare, writeCall } from './contexts.ts';
import {
  accepted,
  answered,
  awaits,
  cleared,
  decided,
  doubted,
  failed,
  granted,
  met,
  passed,
  plan,
  planned,
  raises,
  run,
  started,
  succeeded,
  tightened,
  unsurelyPlanned,
} from './scene.ts';

const { note, read, send, undoable } = callOf;

describe('an approval of a call that begins again', () => {
  test('counts one of two approvers who spoke before the calls were repaired', () => {
    const task = run({ approvers: 2, repairTo: 'execute', limits: { repairs: 1 } }, [
      accepted,
      planned('plan', read('r'), send('w')),
    ]);
    task.send(granted('action-w', 'approval', 'kim'), started('r'), failed('r'));
    expect(task.c.attempt).toBe(1);
    expect(task.c.calls['w']?.approvers).toEqual(['kim']);
    task.send(started('r'), succeeded('r'), decided('w'), granted('action-w', 'approval', 'lee'));
    expect(task.c.calls['w']).toMatchObject({ authority: 'approval', approvers: ['kim', 'lee'] });
  });

  test('stays with a reviewed low-risk write, which any person approves', () => {
    const task = run({ authorities: ['approval'], repairTo: 'execute', limits: { repairs: 1 } }, [
      accepted,
      planned('plan', note('n'), note('m')),
      decided('n', 'needs_review'),
      decided('m'),
      answered('approval:action-n', 'approve'),
      cleared('n'),
      started('n'),
      failed('n', 'CHILD_FAILED', ['TOOL_TIMEOUT']),
    ]);
    expect(task.c.attempt).toBe(1);
    expect(task.c.calls['n']).toMatchObject({ cleared: false, review: false, code: null, causes: [] });
    task.send(decided('n', 'needs_review'), decided('m'));
    expect(task.owes).toEqual(['call n']);
  });

  test('is asked for again when the task class became stricter while the write waited or asked', () => {
    for (const pause of [awaits('w', 'event'), raises('w', 'q')]) {
      const task = run({}, [
        accepted,
        planned('plan', send('w')),
        decided('w'),
        granted('action-w'),
        cleared('w'),
        started('w'),
        pause,
        tightened({ threshold: 0.8 }),
      ]);
      expect(task.c.calls['w']).toMatchObject({ authority: null, approvers: [] });
      task.send(task.takes(met('event')) ? met('event') : answered('q', 'instruction'));
      expect(task.owes).toEqual(['ask approval:action-w']);
    }
  });

  test('is not carried to a plan that a person writes instead', () => {
    const task = run({}, [accepted, unsurelyPlanned('plan', send('w')), granted('action-w')]);
    expect(task.c.calls['w']?.authority).toBe('approval');
    task.send(answered('plan:plan', 'edit', { plan: plan('edited', send('w')) }));
    expect(task.c.calls['w']).toMatchObject({ authority: null, approvers: [] });
  });
});

describe('an approval that expires', () => {
  test('is that of its action alone', () => {
    const task = run({}, [accepted, planned('plan', send('v'), send('w')), decided('v'), decided('w')]);
    task.send(granted('action-v'), granted('action-w'), passed('approval', 'action-v'));
    expect(task.c.calls['v']).toMatchObject({ authority: null, approvers: [] });
    expect(task.c.calls['w']).toMatchObject({ authority: 'approval', approvers: ['kim'] });
  });

  test.each([
    { status: 'started', underWay: false },
    { status: 'allowed', underWay: true },
  ] as const)('stays with a call of the action that has begun: $status', (begun) => {
    const c = bare({ calls: { v: writeCall(begun), w: writeCall() } });
    const { v, w } = disapproved(c, 'action-w');
    expect(v).toMatchObject({ authority: 'approval', approvers: ['kim'] });
    expect(w).toMatchObject({ authority: null, approvers: [] });
  });
});

describe('a call that is made again', () => {
  test('has no reason left of the try before', () => {
    const task = run({}, [
      accepted,
      planned('plan', undoable('u')),
      decided('u'),
      started('u'),
      doubted('u', 'CHILD_FAILED', ['TOOL_TIMEOUT']),
      answered('doubt:u', 'edit', { effect: 'absent' }),
    ]);
    expect(task.c.calls['u']).toMatchObject({ status: 'allowed', code: null, causes: [] });
  });

  test('has no reason left when its late outcome is a success', () => {
    const task = run({}, [
      accepted,
      planned('plan', undoable('u')),
      decided('u'),
      started('u'),
      doubted('u', 'CHILD_FAILED', ['TOOL_TIMEOUT']),
      succeeded('u'),
    ]);
    expect(task.c.calls['u']).toMatchObject({ status: 'succeeded', code: null, causes: [] });
  });

  test.each([
    ['a read', read('r'), [], 'allowed'],
    ['a write', undoable('r'), [decided('r')], 'proposed'],
  ] as const)('is no longer under way after a repair: %s', (_, call, before, status) => {
    const task = run({ repairTo: 'execute', limits: { repairs: 1 } }, [
      accepted,
      planned('plan', call),
      ...before,
      started('r'),
      awaits('r', 'event'),
      failed('r'),
    ]);
    expect(task.c.attempt).toBe(1);
    expect(task.c.calls['r']).toMatchObject({ status, underWay: false });
  });
});
