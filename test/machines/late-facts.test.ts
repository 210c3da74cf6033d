import { describe, expect, test } from 'vitest';
import { callOf } from 'agentcharter/testing';
import { reported } from '../../machines/change.ts';
import { begin } from '../../machines/context.ts';
import { appliesTo, applyFact } from '../../machines/facts/index.ts';
import { requests } from '../../src/testing/charter/world.ts';
import { bare, pass, reportsOf, writeCall } from './contexts.ts';
import {
  accepted,
  answered,
  cancelled,
  changes,
  decided,
  drafted,
  failed,
  granted,
  offered,
  passed,
  planned,
  proposes,
  refused,
  reported as verified,
  run,
  started,
  startedAgain,
  succeeded,
  tightened,
  type FactMaker,
} from './scene.ts';

const { note, read, send, undoable } = callOf;

const delivered = [accepted, planned('plan'), drafted()];
const stricter = tightened({ threshold: 0.8, followup: true });

describe('a stricter task class after delivery', () => {
  test('is taken while a followup may still ask for changes', () => {
    expect(run({ followup: true }, delivered).takes(stricter)).toBe(true);
    expect(run({ followup: true }, [...delivered, offered]).takes(stricter)).toBe(true);
  });

  test('is not taken once no change can be asked for', () => {
    expect(run({}, delivered).takes(tightened({ threshold: 0.8 }))).toBe(false);
    const chosen = run({ followup: true }, [...delivered, offered, answered('followup', 'approve')]);
    expect(chosen.takes(stricter)).toBe(false);
  });

  test('is not taken where it is the one in force', () => {
    const task = run({ followup: true }, delivered);
    expect(task.takes(tightened({ followup: true }))).toBe(false);
  });

  test.each(['failed', 'cancelled'] as const)('is not taken by a run that %s', (outcome) => {
    const c = bare({ outcome }, { followup: true });
    expect(appliesTo(c, stricter(c))).toBe(false);
    const done = bare({ outcome: 'delivered' }, { followup: true });
    expect(appliesTo(done, stricter(done))).toBe(true);
  });
});

test('a request for changes begins with nothing of the request before', () => {
  const task = run({ followup: true, limits: { repairs: 1 } }, [
    accepted,
    planned('plan', read('r')),
    started('r'),
    failed('r'),
    planned('again'),
    drafted(),
    offered,
  ]);
  expect(task.c.unmet).not.toEqual([]);
  expect(task.c.followup).toBe('offered');
  task.send(changes());
  const { taskClass } = task.c;
  expect({ ...task.c, trail: [] }).toEqual(begin({ taskClass, request: requests[1] }));
});

describe('a run that fails', () => {
  const undoing = [
    accepted,
    planned('plan', undoable('u'), send('w')),
    decided('u'),
    decided('w'),
    granted('action-w'),
    ...startedAgain('u'),
    succeeded('u'),
    cancelled,
  ];

  test('lets no clearance lapse any more', () => {
    const task = run({}, undoing);
    expect(task.owes).toEqual(['undo action-u']);
    expect(task.takes(refused('w'))).toBe(false);
    expect(task.takes(refused('w', 'TOOL_UNAVAILABLE'))).toBe(false);
  });

  test('lets no question expire any more', () => {
    const questions = { q: { kind: 'information', about: 'request' } } as const;
    const late = passed('question', 'q');
    const open = bare({ questions });
    const failing = bare({ questions, reasons: [{ code: 'CANCELLED', about: 'task' }] });
    expect(appliesTo(open, late(open))).toBe(true);
    expect(appliesTo(failing, late(failing))).toBe(false);
  });

  test('takes no answer any more', () => {
    const questions = { q: { kind: 'information', about: 'request' } } as const;
    const failing = bare({ questions, reasons: [{ code: 'CANCELLED', about: 'task' }] });
    expect(appliesTo(failing, answered('q', 'instruction')(failing))).toBe(false);
  });
});

describe('a high-risk write that has started', () => {
  const c = bare({ calls: { w: writeCall({ status: 'started' }) } });
  const paused = bare({ calls: { w: writeCall({ status: 'started', underWay: true }) } });

  test('loses a clearance that lapsed, unless it may have happened', () => {
    expect(appliesTo(c, refused('w')(c))).toBe(true);
    expect(appliesTo(paused, refused('w')(paused))).toBe(false);
  });

  test('goes on when its tool changes', () => {
    expect(appliesTo(c, refused('w', 'TOOL_CHANGED')(c))).toBe(false);
  });
});

describe('the reason of a run that fails', () => {
  test.each<[string, readonly FactMaker[]]>([
    ['BEYOND_CAPABILITY model', [accepted, () => ({ type: 'capability.exceeded' })]],
    ['IDENTITY_INVALID request', [() => ({ type: 'request.refused', code: 'IDENTITY_INVALID' })]],
  ])('says what it is about: %s', (reason, facts) => {
    expect(run({}, facts).reasons).toEqual([reason]);
  });

  test('is its host, where a person gives up on it', () => {
    const c = bare({ questions: { 'host:0': { kind: 'host', about: 'host' } } }, { host: true });
    const { reasons } = applyFact(c, answered('host:0', 'reject')(c));
    expect(reasons).toEqual([{ code: 'HOST_UNAVAILABLE', about: 'host' }]);
  });
});

describe('two calls of one action', () => {
  const c = bare({
    calls: {
      v: writeCall({ tier: 'write_low_risk', authority: null, approvers: [], status: 'started' }),
      w: writeCall({
        tier: 'write_low_risk',
        authority: null,
        approvers: [],
        review: true,
        code: 'TOOL_FAILED',
      }),
    },
  });
  const evidence = { id: 'evidence', type: 'tool_result', stale: false } as const;

  test('share the outcome and the clearance of the one that was made', () => {
    const { calls } = applyFact(c, succeeded('v', 'evidence')(c));
    for (const call of Object.values(calls ?? {}))
      expect(call).toMatchObject({ status: 'succeeded', review: false, code: null, evidence });
  });
});

describe('what a run keeps', () => {
  test('of a verifier that failed, whatever it reports later on the same thing', () => {
    const fail = pass('facts', 'draft', { status: 'fail', code: 'EVIDENCE_FOREIGN' });
    const c = bare({ reports: reportsOf(fail) });
    const { reports } = reported(c, pass('facts', 'draft', { evidence: 2 }));
    expect(reports).toEqual(reportsOf({ ...fail, evidence: 2 }));
  });

  test('of a verifier that is late: a report that failed', () => {
    const task = run({ beforeDeliver: { verifiers: ['facts'] }, limits: { repairs: 0 } }, delivered);
    task.send(passed('verifier', 'draft facts'));
    expect(task.c.reports['draft facts']).toMatchObject({ status: 'fail', code: 'VERIFIER_TIMEOUT' });
  });

  test('of an effect: its tool, for who undoes it', () => {
    const task = run({}, [accepted, planned('plan', note('n')), decided('n'), started('n'), succeeded('n')]);
    expect(task.c.effects).toEqual([
      {
        digest: 'action-n',
        tool: 'tool-n',
        rollback: false,
        authority: null,
        status: 'committed',
        evidence: { id: 'evidence-n', type: 'tool_result', stale: false },
      },
    ]);
  });

  test('of a call that is done in an earlier attempt: its result, and no reason to fail', () => {
    const task = run({ beforeDeliver: { verifiers: ['facts'] }, limits: { repairs: 1 } }, [
      accepted,
      planned('plan', note('n')),
      decided('n'),
      started('n'),
      succeeded('n'),
      drafted(),
      verified('facts', 'draft', 'fail'),
      planned('again', note('n')),
    ]);
    expect(task.c.calls['n']).toMatchObject({ status: 'succeeded', code: null });
  });

  test('of a proposal: that no person waived it', () => {
    const task = run({ limits: { rounds: 2 } }, [accepted, planned('plan')]);
    const proposed = { confidence: 0.9, canProceed: true, waived: false };
    expect(task.c.plan).toEqual({ digest: 'plan', ...proposed });
    const further = bare({ plan: task.c.plan }, { limits: { rounds: 2 } });
    expect(applyFact(further, proposes(read('r'))(further)).further).toMatchObject(proposed);
    task.send(drafted());
    expect(task.c.draft).toEqual({ digest: 'draft', ...proposed });
  });

  test('of a call that is not begun: nothing but what was proposed', () => {
    const task = run({}, [accepted, planned('plan', read('r'))]);
    expect(task.c.calls['r']).toEqual({
      at: 0,
      tool: 'tool-r',
      tier: 'read_only',
      digest: 'action-r',
      status: 'allowed',
      underWay: false,
      cleared: false,
      review: false,
      authority: null,
      approvers: [],
      rollback: false,
      evidence: null,
      code: null,
      causes: [],
    });
  });
});

test('the phases alone end with their outcome and their reasons', () => {
  const ends = run({}, [accepted, cancelled], 'execution').actor.getSnapshot();
  expect(ends.output).toEqual({ outcome: 'cancelled', reasons: [{ code: 'CANCELLED', about: 'task' }] });
});

test('an offer that nobody makes in time is withdrawn', () => {
  const task = run({ followup: true }, [...delivered, passed('offer', requests[0])]);
  expect(task.c).toMatchObject({ outcome: 'delivered', followup: 'withdrawn' });
});

test('the deadline of another state does not pass in this one', () => {
  const [request] = requests;
  expect(run({}).takes(passed('offer', request))).toBe(false);
  expect(run({}).takes(passed('accept', request))).toBe(true);
  expect(run({ followup: true }, delivered).takes(passed('accept', request))).toBe(false);
});

test.each([
  ['while a followup is due', []],
  ['after a followup was offered', [offered]],
] as const)('a cancelled followup tells of its own step alone: %s', (_, facts) => {
  const task = run({ followup: true }, [...delivered, ...facts, cancelled]);
  expect(task.c.followup).toBe('withdrawn');
  expect(task.c.trail).toEqual(facts.length === 0 ? [] : ['completed']);
});
