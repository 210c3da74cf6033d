import { describe, expect, test } from 'vitest';
import { callOf } from 'agentcharter/testing';
import {
  accepted,
  answered,
  awaits,
  decided,
  drafted,
  met,
  planned,
  refused,
  run,
  started,
  written,
  type FactMaker,
} from './scene.ts';

const { note, undoable } = callOf;

const endingCall =
  (call: string, verdict: 'allow' | 'deny' | 'needs_review'): FactMaker =>
  (c) => ({
    type: 'policy.decided',
    request: c.request,
    attempt: c.attempt,
    call,
    digest: c.calls[call]?.digest ?? 'none',
    verdict,
    ends: 'call',
  });
describe('a policy that denies one call', () => {
  const two = [accepted, planned('plan', note('n'), undoable('u'))];

  test('refuses it and gives the run no reason to fail', () => {
    const task = run({}, [...two, endingCall('n', 'deny')]);
    expect(task.c.calls['n']).toMatchObject({ status: 'refused', code: 'POLICY_BLOCKED' });
    expect(task.reasons).toEqual([]);
    task.send(...written('u'), drafted());
    expect(task.at).toBe('completed.settled');
  });

  test('leaves one in doubt that is under way', () => {
    const underWay = [...two.slice(0, 1), planned('plan', note('n')), decided('n'), started('n')];
    const task = run({ limits: { pauses: 1 } }, [
      ...underWay,
      awaits('n', 'x'),
      met('x'),
      refused('n'),
      endingCall('n', 'deny'),
    ]);
    expect(task.c.calls['n']).toMatchObject({ status: 'doubted', code: 'POLICY_BLOCKED' });
  });

  describe('once a person says that it did not happen', () => {
    const absent = [
      ...two.slice(0, 1),
      planned('plan', note('n')),
      decided('n'),
      started('n'),
      awaits('n', 'x'),
      met('x'),
      refused('n'),
      endingCall('n', 'deny'),
      answered('doubt:n', 'edit', { effect: 'absent' }),
    ];

    test('decides again', () => {
      const task = run({}, absent);
      expect(task.owes).toEqual(['decide n']);
      expect(task.c.calls['n']).toMatchObject({ status: 'proposed', code: null, underWay: false });
    });

    test('may deny it again, which leaves no doubt', () => {
      const task = run({}, [...absent, endingCall('n', 'deny')]);
      expect(task.c.calls['n']).toMatchObject({ status: 'refused', code: 'POLICY_BLOCKED' });
      task.send(drafted());
      expect(task.at).toBe('completed.settled');
    });
  });

  test('says so of a denial alone', () => {
    const task = run({}, two);
    expect(task.takes(endingCall('n', 'allow'))).toBe(false);
    expect(task.takes(endingCall('n', 'needs_review'))).toBe(false);
    expect(task.takes(endingCall('n', 'deny'))).toBe(true);
  });

  test('ends the run where it does not say so', () => {
    const task = run({}, [...two, decided('n', 'deny')]);
    expect(task.reasons).toEqual(['POLICY_BLOCKED n']);
  });
});
