import { describe, expect, test } from 'vitest';
import { faultsOf, hasPassed, isSure, modelTurnId, nextWrite, runOf } from '../../machines/owed.ts';
import { evidenceFor } from '../../machines/gates.ts';
import { questionsOwed } from '../../machines/question.ts';
import type { CallStatus, Context, Effect } from '../../machines/index.ts';
import { bare, before, pass, readCall, reportsOf, sure, writeCall } from './contexts.ts';

const effect = (digest: string, status: Effect['status'] = 'committed', rollback = true): Effect => ({
  digest,
  tool: 'tool',
  rollback,
  authority: null,
  status,
  evidence: null,
});
const ids = (calls: readonly { readonly id: string }[]) => calls.map(({ id }) => id);
const digests = (effects: readonly Effect[]) => effects.map(({ digest }) => digest);

test('calls stand in plan order, whatever they are named', () => {
  const calls = { 1: writeCall({ at: 1 }), 2: writeCall({ at: 0 }) };
  expect(ids(runOf(bare({ calls })).calls)).toEqual(['2', '1']);
  expect(nextWrite(bare({ calls }))?.id).toBe('2');
});

test('reads are owed all at once, and none once a call has failed or the plan is unsure', () => {
  const calls = {
    r: readCall({ status: 'allowed' }),
    s: readCall({ status: 'allowed', at: 1 }),
    w: writeCall(),
  };
  const plan = sure('plan');
  expect(ids(runOf(bare({ plan, calls })).readsOwed)).toEqual(['r', 's']);
  expect(runOf(bare({ plan, calls: { ...calls, t: readCall({ status: 'failed' }) } })).readsOwed).toEqual([]);
  expect(runOf(bare({ plan: { ...plan, confidence: 0.5 }, calls })).readsOwed).toEqual([]);
});

const held = (calls: Context['calls'], tool?: string) =>
  evidenceFor(bare({ calls }), { type: 'tool_result', ...(tool !== undefined && { tool }) }, []);

test('a run is sure of its plan and of the further calls that wait behind it', () => {
  const further = { ...sure('f'), calls: [] };
  expect(isSure(bare({ plan: sure('p'), further }))).toBe(true);
  expect(isSure(bare({ plan: sure('p'), further: { ...further, confidence: 0.1 } }))).toBe(false);
});

describe('evidence', () => {
  const old = { id: 'e', type: 'tool_result', stale: true } as const;

  test('is held, old or missing', () => {
    expect(held({ r: readCall() })).toBe('held');
    expect(held({ r: readCall({ evidence: old }) })).toBe('stale');
    expect(held({ r: readCall({ evidence: null }) })).toBe('missing');
    expect(held({})).toBe('missing');
  });

  test('is held where one is fresh', () => {
    expect(held({ r: readCall({ evidence: old }), s: readCall() })).toBe('held');
  });

  test('is of the tool that is asked for', () => {
    expect(held({ r: readCall() }, 'tool-r')).toBe('held');
    expect(held({ r: readCall() }, 'constructor')).toBe('missing');
  });

  test.each(['proposed', 'allowed', 'started', 'asking', 'waiting', 'failed', 'refused', 'doubted'] as const)(
    'is nothing of a call that is %s',
    (status: CallStatus) => {
      expect(held({ r: readCall({ status }) })).toBe('missing');
    },
  );

  test('that is old matters while a write rests on it', () => {
    const calls = { r: readCall({ evidence: old }) };
    expect(runOf(bare({ calls })).staleReads).toEqual([]);
    expect(ids(runOf(bare({ calls: { ...calls, w: writeCall() } })).staleReads)).toEqual(['r']);
  });
});

describe('reports', () => {
  test('are owed on each action once, and on the draft', () => {
    const calls = { v: writeCall(), w: writeCall({ at: 2 }), x: writeCall({ at: 3, digest: 'action-x' }) };
    expect(runOf(before('write', { calls, reports: {} })).checksOwed).toEqual([
      { verifier: 'check', of: 'action-w' },
      { verifier: 'check', of: 'action-x' },
    ]);
    expect(runOf(before('deliver', { reports: {} })).reportsOwed).toEqual([
      { verifier: 'facts', of: 'draft' },
    ]);
    expect(runOf(before('deliver', { draft: null })).reportsOwed).toEqual([]);
  });

  test('are owed again once evidence was collected', () => {
    expect(runOf(before('deliver')).reportsOwed).toEqual([]);
    expect(runOf(before('deliver', { collected: 2 })).reportsOwed).toHaveLength(1);
  });

  test('pass for what they stand for', () => {
    expect(hasPassed(before('deliver'), 'facts', 'draft')).toBe(true);
    expect(hasPassed(before('deliver'), 'facts', 'other')).toBe(false);
    expect(hasPassed(before('deliver'), 'constructor', 'draft')).toBe(false);
    const failedElsewhere = reportsOf(pass('facts', 'draft'), pass('facts', 'other', { status: 'fail' }));
    expect(hasPassed(before('deliver', { reports: failedElsewhere }), 'facts', 'draft')).toBe(false);
  });

  test('say why they do not count: each code of their verifier once', () => {
    const late = { status: 'fail', code: 'VERIFIER_TIMEOUT' } as const;
    const reports = reportsOf(
      pass('facts', 'one', late),
      pass('facts', 'two', late),
      pass('facts', 'three', { status: 'fail' }),
      pass('facts', 'four', { status: 'fail', code: 'EVIDENCE_FOREIGN' }),
      pass('style', 'one', { status: 'fail', code: 'GUARD_ERROR' }),
      pass('facts', 'five'),
    );
    expect(faultsOf(bare({ reports }), 'facts')).toEqual(['VERIFIER_TIMEOUT', 'EVIDENCE_FOREIGN']);
    expect(faultsOf(bare({ reports }), 'constructor')).toEqual([]);
  });
});

describe('rollbacks', () => {
  const effects = [
    effect('first'),
    effect('second'),
    effect('kept', 'committed', false),
    effect('undone', 'undone'),
    effect('stuck', 'stuck'),
    effect('closed', 'closed'),
  ];
  const calls = { w: writeCall({ status: 'succeeded', digest: 'second' }) };
  const reasons = [{ code: 'CANCELLED', about: 'task' }] as const;

  test('are owed newest first, each once, where the run stops', () => {
    expect(digests(runOf(bare({ effects, calls, reasons })).undoOwed)).toEqual(['second', 'first']);
  });

  test('are owed of what the plan dropped, where it is replaced', () => {
    expect(digests(runOf(bare({ effects, calls })).undoOwed)).toEqual(['first']);
    expect(digests(runOf(bare({ effects, calls })).unplannedWrites)).toEqual(['first', 'kept', 'stuck']);
  });

  test.each(['started', 'waiting'] as const)('are not owed while a write is %s and may land', (status) => {
    const c = bare({ effects, reasons, calls: { w: writeCall({ status }) } });
    expect(runOf(c).hasWriteInFlight).toBe(true);
    expect(runOf(c).undoOwed).toEqual([]);
    expect(runOf({ ...c, calls: { r: readCall({ status }) } }).hasWriteInFlight).toBe(false);
  });
});

describe('questions', () => {
  const approval = { 'approval:action-w': { kind: 'approval', about: 'action-w' } };
  const calls = { w: writeCall({ authority: null }) };

  test('of a doubt come before those of outputs, and those before approvals', () => {
    const low = { ...sure('low'), confidence: 0 };
    const doubt = { u: writeCall({ status: 'doubted', at: 3 }) };
    expect(questionsOwed(bare({ plan: low, calls: { ...calls, ...doubt } }))).toEqual({
      'doubt:u': { kind: 'doubt', about: 'u' },
    });
    expect(questionsOwed(bare({ plan: low, draft: { ...low, digest: 'd' }, calls }))).toEqual({
      'plan:low': { kind: 'plan', about: 'low' },
      'draft:d': { kind: 'draft', about: 'd' },
    });
    expect(questionsOwed(bare({ plan: sure('plan'), calls }))).toEqual(approval);
  });

  test('are one an action', () => {
    const twice = { ...calls, v: writeCall({ authority: null, at: 2 }) };
    expect(questionsOwed(bare({ calls: twice }))).toEqual(approval);
  });

  test('are none about a write that needs nobody', () => {
    const low = writeCall({ tier: 'write_low_risk', authority: null });
    expect(questionsOwed(bare({ calls: { w: low } }))).toEqual({});
    expect(Object.keys(questionsOwed(bare({ calls: { w: { ...low, review: true } } })))).toHaveLength(1);
  });
});

test('every turn of the model has its own name', () => {
  const turns = (['rounds', 'corrections', 'revisions', 'pauses'] as const).map((count) =>
    modelTurnId(bare({ counters: { ...bare().counters, [count]: 1 } })),
  );
  expect(new Set([modelTurnId(bare()), modelTurnId(bare({ attempt: 1 })), ...turns]).size).toBe(6);
});
