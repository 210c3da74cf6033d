import { describe, expect, test } from 'vitest';
import { outcomeOf, type Fact, type FactOf } from '../../machines/index.ts';
import { requests } from '../../src/testing/charter/world.ts';
import { callOf } from 'agentcharter/testing';
import {
  accepted,
  answered,
  awaits,
  cancelled,
  decided,
  doubted,
  drafted,
  evidenceChanged,
  failed,
  granted,
  outputChanged,
  passed,
  planned,
  reported,
  rollback,
  run,
  started,
  startedAgain,
  succeeded,
  written,
  type TaskClassGiven,
  type FactMaker,
} from './scene.ts';

const { note, read, send, undoable } = callOf;

type Code = FactOf<'call.failed'>['code'];

const once = { limits: { repairs: 0 } } as const;
const facts = { beforeDeliver: { verifiers: ['facts'] } } as const;
const toDraft = [accepted, planned('plan'), drafted()];

describe('a report that does not count says why, about its verifier [UAICP 5.2]', () => {
  test.each<[string, FactMaker, Code]>([
    ['it came too late', passed('verifier', 'draft facts'), 'VERIFIER_TIMEOUT'],
    ['it is of other evidence', reported('facts', 'draft', 'fail', 'EVIDENCE_FOREIGN'), 'EVIDENCE_FOREIGN'],
    ['its verifier broke', reported('facts', 'draft', 'fail', 'GUARD_ERROR'), 'GUARD_ERROR'],
  ])('before deliver, where %s', (_, told, code) => {
    const task = run({ ...facts, ...once }, [...toDraft, told]);
    expect(task.at).toBe('failed');
    expect(task.reasons).toEqual(['VERIFICATION_FAILED facts', `${code} facts`]);
    expect(outcomeOf(task.c)).toBe('uncertain');
  });

  test('before a write, which does not start', () => {
    const task = run({ ...once, beforeWrite: { verifiers: ['check'] } }, [
      accepted,
      planned('plan', note('n')),
      reported('check', 'action-n', 'fail', 'EVIDENCE_FOREIGN'),
    ]);
    expect(task.reasons).toEqual(['VERIFICATION_FAILED check', 'EVIDENCE_FOREIGN check']);
  });

  test('and merely fails where it merely failed', () => {
    const task = run({ ...facts, ...once }, [...toDraft, reported('facts', 'draft', 'fail')]);
    expect(task.reasons).toEqual(['VERIFICATION_FAILED facts']);
    expect(task.c.reports).toMatchObject({ 'draft facts': { status: 'fail', code: null } });
  });

  test('and says nothing where it passed, whatever code it came with', () => {
    const task = run(facts, [...toDraft, reported('facts', 'draft', 'pass', 'EVIDENCE_FOREIGN')]);
    expect(task.at).toBe('completed.settled');
    expect(task.c.reports).toMatchObject({ 'draft facts': { status: 'pass', code: null } });
  });

  test('and blocks what the same verifier passes later in the attempt', () => {
    const checked = { beforeWrite: { verifiers: ['check'] } };
    const task = run({ ...once, ...checked }, [
      accepted,
      planned('plan', note('n'), note('m')),
      reported('check', 'action-n', 'fail', 'EVIDENCE_FOREIGN'),
    ]);
    expect(task.owes).toEqual(['verify check action-m 0']);
    task.send(reported('check', 'action-m'));
    expect(task.reasons).toEqual(['VERIFICATION_FAILED check', 'EVIDENCE_FOREIGN check']);
  });

  test('each code once, and of no other verifier', () => {
    const task = run({ ...once, beforeDeliver: { verifiers: ['facts', 'style'] } }, [
      ...toDraft,
      reported('facts', 'draft', 'fail', 'GUARD_ERROR'),
      reported('style', 'draft', 'fail'),
    ]);
    expect(task.reasons).toEqual([
      'VERIFICATION_FAILED facts',
      'GUARD_ERROR facts',
      'VERIFICATION_FAILED style',
    ]);
  });

  test('and is the cause that a repair keeps, which begins with no report', () => {
    const task = run(facts, [...toDraft, passed('verifier', 'draft facts')]);
    expect(task.c.unmet).toEqual([
      { code: 'VERIFICATION_FAILED', about: 'facts' },
      { code: 'VERIFIER_TIMEOUT', about: 'facts' },
    ]);
    expect(task.c.reports).toEqual({});
    task.send(planned('another'), drafted('second'), reported('facts', 'second'));
    expect(task.at).toBe('completed.settled');
  });
});

describe('a call that was a task says why that task failed [UAICP 4.3]', () => {
  const toRead = [accepted, planned('plan', read('r')), started('r')];
  const toWrite = [accepted, planned('plan', undoable('u')), decided('u'), started('u')];
  const unmet = ['EVIDENCE_MISSING', 'VERIFICATION_FAILED'] as const;

  test('after its own code, in order, where it failed', () => {
    const task = run(once, [...toRead, failed('r', 'CHILD_FAILED', unmet)]);
    expect(task.reasons).toEqual(['CHILD_FAILED r', 'EVIDENCE_MISSING r', 'VERIFICATION_FAILED r']);
    expect(task.c.calls['r']).toMatchObject({ status: 'failed', code: 'CHILD_FAILED', causes: unmet });
  });

  test('so does a read without an outcome, which has failed', () => {
    const task = run(once, [...toRead, doubted('r', 'CHILD_FAILED', unmet)]);
    expect(task.reasons).toEqual(['CHILD_FAILED r', 'EVIDENCE_MISSING r', 'VERIFICATION_FAILED r']);
  });

  test('so does a write that is known not to be done', () => {
    const task = run(once, [...toWrite, failed('u', 'CHILD_FAILED', unmet)]);
    expect(task.reasons).toEqual(['CHILD_FAILED u', 'EVIDENCE_MISSING u', 'VERIFICATION_FAILED u']);
  });

  test('a write without an outcome is in doubt, and then says why', () => {
    const task = run({ limits: { pauses: 0 } }, [...toWrite, doubted('u', 'CHILD_FAILED', unmet)]);
    expect(task.reasons).toEqual(['EFFECT_IN_DOUBT u', 'EVIDENCE_MISSING u', 'VERIFICATION_FAILED u']);
    expect(outcomeOf(task.c)).toBe('uncertain');
  });

  test('is the cause that a repair keeps', () => {
    const task = run({}, [...toRead, failed('r', 'CHILD_FAILED', ['TOOL_TIMEOUT'])]);
    expect(task.c.unmet).toEqual([
      { code: 'CHILD_FAILED', about: 'r' },
      { code: 'TOOL_TIMEOUT', about: 'r' },
    ]);
  });

  test.each<[string, readonly FactMaker[], readonly string[]]>([
    ['a later outcome', [failed('u')], ['TOOL_FAILED u']],
    ['a person who ruled it out', [answered('doubt:u', 'reject')], ['HUMAN_REJECTED u']],
    [
      'another call of it',
      [answered('doubt:u', 'edit', { effect: 'absent' }), ...startedAgain('u'), failed('u')],
      ['TOOL_FAILED u'],
    ],
  ])('is forgotten with %s', (_, then, says) => {
    const task = run(once, [...toWrite, doubted('u', 'CHILD_FAILED', unmet), ...then]);
    expect(task.reasons).toEqual(says);
  });

  test('is forgotten with the attempt', () => {
    const repaired = { repairTo: 'execute', limits: { repairs: 1 } } as const;
    const told = [...toRead, failed('r', 'CHILD_FAILED', unmet), started('r'), failed('r')];
    expect(run(repaired, told).reasons).toEqual(['TOOL_FAILED r']);
  });

  test.each<[string, readonly FactMaker[], readonly string[]]>([
    ['nobody is there to ask', [], []],
    ['somebody cancels', [cancelled], ['CANCELLED task']],
  ])('is said of a write that stays in doubt where %s', (_, then, first) => {
    const kind = then.length === 0 ? 'execution' : 'task';
    const task = run({}, [...toWrite, doubted('u', 'CHILD_FAILED', unmet), ...then], kind);
    const said = ['EFFECT_IN_DOUBT u', 'EVIDENCE_MISSING u', 'VERIFICATION_FAILED u'];
    expect(task.reasons).toEqual([...first, ...said]);
  });

  test('says nothing more where it gives no cause', () => {
    expect(run(once, [...toRead, failed('r', 'CHILD_FAILED')]).reasons).toEqual(['CHILD_FAILED r']);
    expect(run(once, [...toRead, failed('r', 'CHILD_FAILED', [])]).reasons).toEqual(['CHILD_FAILED r']);
  });

  test.each<[outcome: string, causes: readonly Code[]]>([
    ['failure', []],
    ['failure', ['TOOL_FAILED', 'MODEL_UNAVAILABLE']],
    ['uncertain', ['EVIDENCE_MISSING']],
    ['uncertain', ['TOOL_FAILED', 'ROLLBACK_REQUIRED']],
  ])('is %s where its causes are: %j', (outcome, causes) => {
    const task = run(once, [...toRead, failed('r', 'CHILD_FAILED', causes)]);
    expect(outcomeOf(task.c)).toBe(outcome);
  });

  test.each<[string, Code, TaskClassGiven]>([
    ['left an effect in doubt, by no attempt', 'EFFECT_IN_DOUBT', {}],
    ['was rejected, by the same calls', 'HUMAN_REJECTED', { repairTo: 'execute' }],
    ['left a write behind, by the same calls', 'ROLLBACK_REQUIRED', { repairTo: 'execute' }],
  ])('is not repaired where it %s', (_, cause, taskClass) => {
    const task = run(taskClass, [...toRead, failed('r', 'CHILD_FAILED', [cause])]);
    expect(task.at).toBe('failed');
    expect(task.reasons).toEqual(['CHILD_FAILED r', `${cause} r`]);
  });
});

describe('evidence that was changed ends a run [UAICP 5.1]', () => {
  const toRead = [
    accepted,
    planned('plan', read('r'), undoable('u'), undoable('v')),
    started('r'),
    succeeded('r'),
  ];
  const done = [...toRead, decided('u'), decided('v')];
  const changed = evidenceChanged('evidence-r');
  const toApprove = [
    accepted,
    planned('plan', read('r'), send('w')),
    started('r'),
    succeeded('r'),
    decided('w'),
  ];

  test.each<[string, TaskClassGiven, readonly FactMaker[]]>([
    ['while it waits for the policy', {}, toRead],
    ['while it asks for an approval', { approvers: 2 }, [...toApprove, granted('action-w')]],
    ['while it waits', {}, [...done, started('u'), awaits('u', 'x')]],
    ['while it checks', { beforeWrite: { verifiers: ['check'] } }, toRead],
    ['while it concludes', {}, [accepted, planned('plan', read('r')), started('r'), succeeded('r')]],
  ])('%s: uncertain, not repaired and not delivered', (_, taskClass, told) => {
    for (const code of ['EVIDENCE_HASH_MISMATCH', 'EVIDENCE_FOREIGN'] as const) {
      const task = run({ ...taskClass, limits: { repairs: 5 } }, [
        ...told,
        evidenceChanged('evidence-r', code),
      ]);
      if (task.c.calls['u']?.status === 'waiting') task.send(failed('u'));
      expect(task.at).toBe('failed');
      expect(task.c.trail).toContain('fail_safe');
      expect(task.reasons).toEqual([`${code} evidence-r`]);
      expect(task.c).toMatchObject({ outcome: 'failed', attempt: 0, counters: { repairs: 0 } });
      expect(outcomeOf(task.c)).toBe('uncertain');
    }
  });

  test('after what is in flight has an outcome, and what was done is undone, newest first', () => {
    const task = run({ limits: { repairs: 5 } }, [
      ...done,
      started('u'),
      succeeded('u'),
      started('v'),
      changed,
    ]);
    expect(task.owes).toEqual(['observe v']);
    task.send(succeeded('v'));
    expect(task.owes).toEqual(['undo action-v']);
    task.send(rollback('started', 'action-v'), rollback('succeeded', 'action-v'));
    task.send(rollback('started', 'action-u'), rollback('succeeded', 'action-u'));
    expect(task.effects).toEqual(['action-u undone', 'action-v undone']);
    expect(task.reasons).toEqual(['EVIDENCE_HASH_MISMATCH evidence-r']);
    expect(task.c).toMatchObject({ outcome: 'failed', attempt: 0 });
  });

  test('and what could not be undone is said beside it', () => {
    const task = run({}, [
      accepted,
      planned('plan', note('n')),
      ...written('n'),
      evidenceChanged('evidence-n'),
    ]);
    expect(task.reasons).toEqual(['EVIDENCE_HASH_MISMATCH evidence-n', 'ROLLBACK_REQUIRED action-n']);
  });

  test('and is only said of evidence that the run relies on', () => {
    const task = run({}, toRead);
    expect(task.takes(evidenceChanged('evidence-of-another'))).toBe(false);
    expect(task.takes((c) => ({ ...changed(c), request: requests[1] }) as Fact)).toBe(false);
    task.send(cancelled);
    expect(task.takes(changed)).toBe(false);
  });

  test('and does not end one that was delivered', () => {
    const task = run({ followup: true }, [
      accepted,
      planned('plan', read('r')),
      started('r'),
      succeeded('r'),
      drafted(),
    ]);
    expect(task.takes(changed)).toBe(false);
  });
});

describe('a draft that was changed ends a run [UAICP 5.2]', () => {
  test('before it is verified, and nothing is delivered', () => {
    const task = run({ ...facts, limits: { repairs: 5 } }, [...toDraft, outputChanged()]);
    expect(task.reasons).toEqual(['OUTPUT_CHANGED draft']);
    expect(outcomeOf(task.c)).toBe('uncertain');
  });

  test('also one that is only being proposed', () => {
    const task = run({}, [accepted, planned('plan'), outputChanged('another')]);
    expect(task.reasons).toEqual(['OUTPUT_CHANGED another']);
  });

  test('but not one of another request, or of a run that fails', () => {
    const task = run(facts, toDraft);
    expect(task.takes((c) => ({ ...outputChanged()(c), request: requests[1] }) as Fact)).toBe(false);
    task.send(outputChanged());
    expect(task.takes(outputChanged())).toBe(false);
  });
});
