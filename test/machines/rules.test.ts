import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../machines/index.ts';
import { callOf } from 'agentcharter/testing';
import { requests } from '../../src/testing/charter/world.ts';
import {
  accepted,
  answered,
  asksForInformation,
  awaits,
  cancelled,
  changes,
  decided,
  draft,
  drafted,
  failed,
  met,
  modelSilent,
  needsHelp,
  offered,
  passed,
  plan,
  planned,
  proposes,
  raises,
  rejects,
  reported,
  run,
  started,
  stopped,
  succeeded,
  unsurelyDrafted,
  written,
} from './scene.ts';

const { note, read, send, undoable } = callOf;

const facts = { beforeDeliver: { verifiers: ['facts'] } };
const evidence = [{ type: 'tool_result' as const }];

describe('deadlines', () => {
  test('the model is late for its own turn alone', () => {
    const task = run({}, [accepted]);
    const [wake] = task.duties.filter((duty) => duty.kind === 'wake');
    expect(wake).toEqual({ kind: 'wake', of: 'model', id: '0.0.0.0.0' });
    task.send(rejects());
    expect(task.takes(passed('model', '0.0.0.0.0'))).toBe(false);
    expect(task.takes(modelSilent)).toBe(true);
  });

  test.each([
    ['accept', []],
    ['offer', [accepted, planned('plan'), drafted()]],
    ['followup', [accepted, planned('plan'), drafted(), offered]],
  ] as const)('that of %s is for the request that it was set for', (of, heard) => {
    const task = run({ followup: true }, heard);
    expect(task.takes(passed(of, requests[1]))).toBe(false);
    expect(task.takes(passed(of, requests[0]))).toBe(true);
  });

  test('evidence grows old by its own name, so that what was read again is fresh', () => {
    const task = run({}, [
      accepted,
      planned('plan', read('r'), note('n')),
      started('r'),
      succeeded('r', 'first'),
      passed('evidence', 'first'),
      decided('n'),
      started('r'),
      succeeded('r', 'second'),
    ]);
    expect(task.takes(passed('evidence', 'first'))).toBe(false);
    expect(task.takes(passed('evidence', 'r'))).toBe(false);
    expect(task.takes(passed('evidence', 'second'))).toBe(true);
  });
});

describe('reads come before writes [UAICP 7]', () => {
  test('a write waits until reads that grew old were called again', () => {
    const task = run({}, [
      accepted,
      planned('plan', read('r'), note('n')),
      started('r'),
      succeeded('r'),
      decided('n', 'needs_review'),
      passed('evidence', 'evidence-r'),
      answered('approval:action-n', 'approve'),
    ]);
    expect(task.owes).toEqual(['call r']);
    expect(task.takes(started('n'))).toBe(false);
  });

  test('a policy decides on a write once the reads of its plan are done', () => {
    const task = run({}, [accepted, planned('plan', read('r'), note('n'))]);
    expect(task.owes).toEqual(['call r']);
    expect(task.takes(decided('n'))).toBe(false);
    task.send(started('r'), succeeded('r'));
    expect(task.owes).toEqual(['decide n']);
  });

  test('reads that grew old are not called again to undo a check that failed [UAICP 5.2]', () => {
    const task = run({ beforeWrite: { verifiers: ['a', 'b'] }, limits: { repairs: 0 } }, [
      accepted,
      planned('plan', read('r'), note('n')),
      started('r'),
      succeeded('r'),
      reported('a', 'action-n', 'fail'),
      passed('evidence', 'evidence-r'),
      reported('b', 'action-n'),
    ]);
    expect(task.c.outcome).toBe('failed');
    expect(task.c.reasons.map(({ code }) => code)).toContain('VERIFICATION_FAILED');
    expect(task.c.counters.refreshes).toBe(0);
  });

  test('checks before a write do not stand for a later round', () => {
    const task = run({ beforeWrite: { verifiers: ['check'] } }, [
      accepted,
      planned('plan', note('n')),
      reported('check', 'action-n'),
      decided('n', 'needs_review'),
      answered('approval:action-n', 'reject'),
      proposes(note('m', 'action-n')),
    ]);
    expect(task.owes).toEqual(['verify check action-n 0']);
  });
});

describe('names from outside', () => {
  test('several calls wait for one dependency, and go on together', () => {
    const task = run({}, [
      accepted,
      planned('plan', read('r'), read('s')),
      started('r'),
      started('s'),
      awaits('r', 'x'),
      awaits('s', 'x'),
    ]);
    expect(task.owes).toEqual(['await x r', 'await x s']);
    task.send(met('x'));
    expect(task.owes).toEqual(['call r', 'call s']);
  });

  test('a question takes no name that stands open', () => {
    const task = run({}, [
      accepted,
      planned('plan', read('r'), read('s')),
      started('r'),
      started('s'),
      raises('r', 'q'),
    ]);
    expect(task.takes(raises('s', 'q'))).toBe(false);
    expect(task.takes(raises('s', 'p'))).toBe(true);
  });

  test('a question takes no name with a colon: those are bound to what they are about', () => {
    const intake = run({});
    expect(intake.takes(asksForInformation('approval:action-w'))).toBe(false);
    const proposing = run({}, [accepted]);
    expect(proposing.takes(rejects('plan:plan'))).toBe(false);
    expect(proposing.takes(needsHelp('plan:plan'))).toBe(false);
    const calling = run({}, [accepted, planned('plan', read('r'), send('w')), started('r')]);
    expect(calling.takes(raises('r', 'approval:action-w'))).toBe(false);
    expect(calling.takes(raises('r', 'approval-action-w'))).toBe(true);
  });

  test('no two calls have one name', () => {
    const twice = [undoable('u', 'a'), undoable('u', 'b')];
    const proposing = run({}, [accepted]);
    expect(proposing.takes(planned('plan', ...twice))).toBe(false);
    const concluding = run({}, [accepted, planned('plan', read('r')), started('r'), succeeded('r')]);
    expect(concluding.takes(proposes(...twice))).toBe(false);
    expect(concluding.takes(proposes(read('r', 'other')))).toBe(false);
    expect(concluding.takes(proposes(read('s')))).toBe(true);
    const asking = run({}, [accepted, needsHelp()]);
    expect(asking.takes(answered('help', 'edit', { plan: plan('plan', ...twice) }))).toBe(false);
  });

  test('calls keep the order of their plan, whatever they are named', () => {
    const task = run({}, [accepted, planned('plan', note('2'), note('1'))]);
    expect(task.owes).toEqual(['decide 2', 'decide 1']);
    task.send(decided('1'), decided('2'));
    expect(task.owes).toEqual(['call 2']);
    expect(task.takes(started('1'))).toBe(false);
  });

  test('a call that a person edits keeps its name and its place', () => {
    const task = run({}, [
      accepted,
      planned('plan', undoable('v'), undoable('u')),
      decided('u'),
      decided('v', 'needs_review'),
      answered('approval:action-v', 'edit', { call: undoable('u', 'edited') }),
    ]);
    expect(task.c.calls).toMatchObject({
      v: { at: 0, digest: 'edited', status: 'proposed' },
      u: { at: 1, digest: 'action-u', status: 'allowed' },
    });
  });

  test('changes come under another request', () => {
    const task = run({ followup: true }, [accepted, planned('plan'), drafted(), offered]);
    expect(task.takes(changes(requests[0]))).toBe(false);
    expect(task.takes(changes(requests[1]))).toBe(true);
  });
});

test('an edit replaces what the question is about, and nothing else that it brings', () => {
  const task = run({}, [
    accepted,
    planned('plan'),
    unsurelyDrafted(),
    answered('draft:draft', 'edit', { draft: draft('edited'), plan: plan('other', undoable('u')) }),
  ]);
  expect(task.at).toBe('completed.settled');
  expect(task.c).toMatchObject({ plan: { digest: 'plan' }, draft: { digest: 'edited' }, calls: {} });
});

describe('reasons', () => {
  test.each([
    ['a tool', [accepted, planned('plan', read('r')), started('r'), failed('r', 'CANCELLED')]],
    ['an identity', [() => ({ type: 'request.refused', code: 'CANCELLED' }) as const]],
  ])('a task is cancelled by whoever cancels it, and not by the code of %s', (_, heard) => {
    const task = run({ limits: { repairs: 0 } }, heard);
    expect(task.at).toBe('failed');
  });

  test('say what broke, once, and not what was merely owed', () => {
    const task = run({ limits: { repairs: 0 } }, [
      accepted,
      planned('plan', read('r'), read('s'), note('n'), send('w')),
      started('r'),
      started('s'),
      failed('s'),
    ]);
    expect(task.reasons).toEqual(['TOOL_FAILED s']);
    expect(task.statuses).toMatchObject({ r: 'dropped', s: 'failed' });
    expect(outcomeOf(task.c)).toBe('failure');
  });

  test('name the write that no plan asks for and nobody can undo, and not what was merely owed', () => {
    const task = run({ ...facts, beforeWrite: { evidence } }, [
      accepted,
      planned('plan', read('r'), note('n')),
      started('r'),
      succeeded('r'),
      ...written('n'),
      drafted(),
      reported('facts', 'draft', 'fail'),
      planned('another', read('s'), note('m')),
    ]);
    expect(task.at).toBe('failed');
    expect(task.reasons).toEqual(['ROLLBACK_REQUIRED action-n']);
  });

  test('keep the first, and give each once', () => {
    const task = run({}, [
      accepted,
      planned('plan', undoable('u')),
      decided('u'),
      started('u'),
      cancelled,
      cancelled,
      stopped(),
      failed('u'),
    ]);
    expect(task.reasons).toEqual(['CANCELLED task', 'GUARD_ERROR run']);
    expect(task.at).toBe('cancelled');
  });
});
