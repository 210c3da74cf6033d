import { describe, expect, test } from 'vitest';
import { callOf } from 'agentcharter/testing';
import {
  accepted,
  answered,
  awaits,
  cancelled,
  decided,
  doubted,
  drafted,
  failed,
  granted,
  passed,
  planned,
  proposes,
  raises,
  refused,
  reported,
  rollback,
  run,
  started,
  startedAgain,
  succeeded,
  written,
  type FactMaker,
} from './scene.ts';

const { irrevocable, note, send, undoable } = callOf;

const facts = { beforeDeliver: { verifiers: ['facts'] } };
const evidence = [{ type: 'tool_result' as const }];
const toDoubt = [accepted, planned('plan', undoable('u')), decided('u'), started('u'), doubted('u')];

describe('rollbacks', () => {
  test('nothing is delivered while a write that the plan dropped is being undone', () => {
    const task = run(facts, [
      accepted,
      planned('plan', undoable('u')),
      ...written('u'),
      drafted(),
      reported('facts', 'draft', 'fail'),
      planned('another'),
    ]);
    expect(task.owes).toEqual(['undo action-u']);
    task.send(rollback('started', 'action-u'));
    expect(task.at).toBe('undoing.replace');
    expect(task.takes(drafted())).toBe(false);
    task.send(rollback('succeeded', 'action-u'));
    expect(task.owes).toEqual(['conclude']);
  });

  test('none begins before every write in flight has an outcome, and then the newest goes first', () => {
    const task = run({}, [
      accepted,
      planned('plan', undoable('u'), undoable('v')),
      decided('u'),
      decided('v'),
      started('u'),
      succeeded('u'),
      started('v'),
      cancelled,
    ]);
    expect(task.owes).toEqual(['observe v']);
    expect(task.takes(rollback('started', 'action-u'))).toBe(false);
    task.send(succeeded('v'));
    expect(task.owes).toEqual(['undo action-v']);
    task.send(rollback('started', 'action-v'), rollback('succeeded', 'action-v'));
    task.send(rollback('started', 'action-u'), rollback('succeeded', 'action-u'));
    expect(task.at).toBe('cancelled');
    expect(task.effects).toEqual(['action-u undone', 'action-v undone']);
  });

  test('one that has begun keeps its outcome, also when a write in doubt lands meanwhile', () => {
    const task = run({}, [
      accepted,
      planned('plan', undoable('u'), undoable('v')),
      decided('u'),
      decided('v'),
      started('u'),
      succeeded('u'),
      started('v'),
      cancelled,
      doubted('v'),
      rollback('started', 'action-u'),
      succeeded('v'),
    ]);
    expect(task.takes(rollback('succeeded', 'action-u'))).toBe(true);
    expect(task.takes(rollback('started', 'action-v'))).toBe(false);
    task.send(rollback('succeeded', 'action-u'), rollback('started', 'action-v'));
    task.send(rollback('succeeded', 'action-v'));
    expect(task.reasons).toEqual(['CANCELLED task']);
  });

  test('a cancelled run waits for a write that waits, and says so when its outcome stays unknown', () => {
    const waiting = [accepted, planned('plan', undoable('u')), decided('u'), started('u'), awaits('u', 'x')];
    const task = run({}, [...waiting, cancelled]);
    expect(task.owes).toEqual(['await x u']);
    expect(task.takes(succeeded('u'))).toBe(true);
    task.send(passed('dependency', 'x'));
    expect(task.at).toBe('cancelled');
    expect(task.reasons).toEqual(['CANCELLED task', 'EFFECT_IN_DOUBT u']);

    const late = run({}, [...waiting, cancelled, succeeded('u')]);
    expect(late.owes).toEqual(['undo action-u']);
  });
});

describe('one effect an action', () => {
  const twice = [
    accepted,
    planned('plan', undoable('u', 'same'), undoable('v', 'same')),
    decided('u'),
    decided('v'),
    started('u'),
  ];

  test('a second call of an action in doubt does not start, and is answered with the first', () => {
    const task = run({}, [...twice, doubted('u')]);
    expect(task.owes).toEqual(['ask doubt:u']);
    expect(task.takes(started('v'))).toBe(false);
    task.send(answered('doubt:u', 'approve'));
    expect(task.statuses).toEqual({ u: 'succeeded', v: 'succeeded' });
    expect(task.effects).toEqual(['same committed']);
  });

  test('an action that did not happen is called once for both', () => {
    const task = run({}, [...twice, doubted('u'), answered('doubt:u', 'edit', { effect: 'absent' })]);
    expect(task.takes(started('u'))).toBe(false);
    task.send(...startedAgain('u'), succeeded('u'));
    expect(task.statuses).toEqual({ u: 'succeeded', v: 'succeeded' });
    expect(task.takes(started('v'))).toBe(false);
    expect(task.effects).toEqual(['same committed']);
  });

  test('to approve a doubt says that it happened, whatever else the answer brings', () => {
    const task = run({}, [...toDoubt, answered('doubt:u', 'approve', { effect: 'absent' })]);
    expect(task.effects).toEqual(['action-u committed']);
    expect(task.owes).toEqual(['conclude']);
  });

  test('an edit of a doubt says what became of it', () => {
    const task = run({}, toDoubt);
    expect(task.takes(answered('doubt:u', 'edit'))).toBe(false);
  });

  test('a person who changes a call into one that is done has it answered', () => {
    const task = run({}, [
      accepted,
      planned('plan', undoable('u'), undoable('v')),
      decided('u'),
      decided('v', 'needs_review'),
    ]);
    task.send(answered('approval:action-v', 'edit', { call: undoable('v', 'action-u') }), decided('v'));
    task.send(...startedAgain('u'), succeeded('u'));
    expect(task.statuses).toEqual({ u: 'succeeded', v: 'succeeded' });
  });
});

describe('a twin of a call that was done', () => {
  test('is done as the other was, under its authority', () => {
    const task = run({}, [
      accepted,
      planned('plan', send('v', 'same'), send('w', 'same')),
      decided('v'),
      granted('same'),
      decided('w'),
      started('v'),
      refused('w'),
      succeeded('v'),
      drafted(),
    ]);
    expect(task.statuses).toEqual({ v: 'succeeded', w: 'succeeded' });
    expect(task.at).toBe('completed.settled');
  });

  test.each([
    ['its tool says that it was done', [succeeded('m')]],
    ['a person knows that it was done', [doubted('m'), answered('doubt:m', 'approve')]],
  ])('stays refused where a person refused it: %s', (_, told) => {
    const task = run({}, [
      accepted,
      planned('plan', note('n', 'same')),
      decided('n', 'needs_review'),
      answered('approval:same', 'reject'),
      proposes(note('m', 'same')),
      decided('m'),
      started('m'),
      ...told,
    ]);
    expect(task.statuses).toEqual({ n: 'refused', m: 'succeeded' });
    task.send(drafted());
    expect(task.at).toBe('completed.settled');
  });
});

describe('what was done stays done', () => {
  const kept: readonly FactMaker[] = [
    accepted,
    planned('plan', send('w')),
    decided('w'),
    granted('action-w'),
    ...startedAgain('w'),
    succeeded('w'),
  ];

  test('a high-risk write that a new plan keeps is delivered under the authority that it was made with', () => {
    const task = run(facts, [
      ...kept,
      drafted(),
      reported('facts', 'draft', 'fail'),
      planned('another', send('w')),
      drafted('second'),
      reported('facts', 'second'),
    ]);
    expect(task.at).toBe('completed.settled');
    expect(task.effects).toEqual(['action-w committed']);
  });

  test('so is one that further calls ask for again', () => {
    const task = run({}, [...kept, proposes(send('again', 'action-w')), drafted()]);
    expect(task.at).toBe('completed.settled');
    expect(task.statuses).toEqual({ w: 'succeeded', again: 'succeeded' });
  });

  test('evidence of a kept write is as old as it was', () => {
    const task = run({ beforeDeliver: { evidence, verifiers: ['facts'] } }, [
      accepted,
      planned('plan', undoable('u')),
      ...written('u'),
      passed('evidence', 'evidence-u'),
      drafted(),
      reported('facts', 'draft'),
      planned('another', undoable('u')),
    ]);
    expect(task.c.calls['u']?.evidence).toEqual({ id: 'evidence-u', type: 'tool_result', stale: true });
    expect(task.takes(passed('evidence', 'evidence-u'))).toBe(false);
    task.send(drafted('second'), reported('facts', 'second'));
    expect(task.reasons).toEqual(['EVIDENCE_STALE tool_result']);
  });
});

describe('repairs', () => {
  const patient = { repairTo: 'execute', limits: { repairs: 60 } } as const;
  const told = [accepted, planned('plan', undoable('u'))];

  test.each([
    ['an action that was ruled out', {}, [...toDoubt, answered('doubt:u', 'reject')], 'HUMAN_REJECTED u'],
    ['evidence that no call brings', { beforeWrite: { evidence } }, told, 'EVIDENCE_MISSING tool_result'],
    ['a rollback that no call has', {}, [accepted, planned('plan', irrevocable('w'))], 'ROLLBACK_REQUIRED w'],
  ])('%s is not repaired by doing the same calls again', (_, taskClass, heard, reason) => {
    const task = run({ ...taskClass, ...patient }, heard);
    expect(task.at).toBe('failed');
    expect(task.reasons).toEqual([reason]);
    expect(task.c).toMatchObject({ attempt: 0, counters: { repairs: 0 } });
  });

  test('a tool that failed is, one attempt at a time', () => {
    const task = run(patient, [...told, decided('u'), started('u'), failed('u')]);
    expect(task.c).toMatchObject({ attempt: 1, counters: { repairs: 1 } });
    expect(task.owes).toEqual(['decide u']);
  });
});

const met: FactMaker = () => ({ type: 'dependency.met', dependency: 'x' });

describe('a write whose tool was not finished may have happened', () => {
  const begun: readonly FactMaker[] = [
    accepted,
    planned('plan', undoable('u')),
    decided('u'),
    started('u'),
    awaits('u', 'x'),
  ];

  test.each<[string, readonly FactMaker[]]>([
    ['while it asks a person', [raises('u', 'q'), cancelled]],
    ['before it is called again', [raises('u', 'q'), answered('q', 'approve'), cancelled]],
    ['once what it waited for is there', [met, cancelled]],
  ])('and a cancelled run says so, %s', (_, then) => {
    const task = run({}, [...begun, ...then]);
    expect(task.at).toBe('cancelled');
    expect(task.reasons).toEqual(['CANCELLED task', 'EFFECT_IN_DOUBT u']);
  });

  test('so that a rejection puts it in doubt, and it is not planned anew', () => {
    const task = run({ limits: { repairs: 1 } }, [...begun, raises('u', 'q'), answered('q', 'reject')]);
    expect(task.statuses).toEqual({ u: 'doubted' });
    expect(task.at).toBe('needsHumanDecision');
  });

  test('so that no new plan is asked for while it is half done', () => {
    const task = run({ limits: { pauses: 1 } }, [...begun, raises('u', 'q')]);
    expect(task.at).toBe('failed');
    expect(task.reasons).toEqual(['BUDGET_SPENT pauses', 'EFFECT_IN_DOUBT u']);
  });
});
