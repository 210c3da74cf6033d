import { describe, expect, test } from 'vitest';
import {
  asked,
  entered,
  extended,
  failedAt,
  failedUnanswered,
  refreshed,
  repaired,
  settledSafe,
  stopped,
  superseded,
} from '../../machines/progress.ts';
import type { Effect, QuestionKind } from '../../machines/index.ts';
import { bare, before, readCall, sure, writeCall } from './contexts.ts';

const effect: Effect = {
  digest: 'action-w',
  tool: 'tool-w',
  rollback: true,
  authority: 'approval',
  status: 'committed',
  evidence: null,
};

describe('the next attempt', () => {
  const calls = {
    r: readCall(),
    w: writeCall({ status: 'succeeded' }),
    v: writeCall({ at: 2, digest: 'action-v', status: 'failed', code: 'TOOL_FAILED', review: true }),
    x: writeCall({ at: 3, digest: 'action-x', status: 'refused', code: 'HUMAN_REJECTED' }),
  };
  const ran = before('deliver', {
    calls,
    effects: [effect],
    attempt: 1,
    questions: { q: { kind: 'help', about: 'plan' } },
    dependencies: { x: ['r'] },
    counters: { ...bare().counters, corrections: 2, rounds: 3, repairs: 1 },
  });

  test('begins with no draft, no evidence, no report, no question and no dependency', () => {
    for (const next of ['execute', 'plan', 'revise'] as const)
      expect(superseded(ran, next)).toMatchObject({
        attempt: 2,
        draft: null,
        collected: 0,
        reports: {},
        questions: {},
        dependencies: {},
      });
  });

  test('executes the same plan again: done stays done, refused stays refused, the rest is owed', () => {
    const next = superseded(ran, 'execute');
    expect(next.plan).toBeUndefined();
    expect(next.calls).toMatchObject({
      r: { status: 'allowed', evidence: null },
      w: { status: 'succeeded' },
      v: { status: 'proposed', review: false, code: null, authority: 'approval' },
      x: { status: 'refused', code: 'HUMAN_REJECTED' },
    });
    expect(next.counters).toMatchObject({ corrections: 0, rounds: 3, repairs: 1 });
  });

  test.each([
    ['a repair', 'plan'],
    ['a person', 'revise'],
  ] as const)('plans anew where %s asks for it', (_, next) => {
    expect(superseded(ran, next)).toMatchObject({
      plan: null,
      calls: {},
      counters: { corrections: 0, rounds: 0, repairs: 1 },
    });
  });
});

describe('a gate that says no', () => {
  test('names what broke, and not what is merely owed', () => {
    const calls = {
      ...before('write').calls,
      s: readCall({ status: 'failed', code: 'TOOL_TIMEOUT', at: 2 }),
    };
    expect(failedAt(before('write', { calls, reports: {} }), 'write')).toEqual({
      reasons: [{ code: 'TOOL_TIMEOUT', about: 's' }],
    });
  });

  test('names what stands against it where nothing broke', () => {
    const calls = { r: readCall(), w: writeCall({ authority: null }) };
    expect(failedAt(before('write', { calls }), 'write').reasons).toEqual([
      { code: 'APPROVAL_REQUIRED', about: 'w' },
    ]);
    expect(failedAt(before('execute', { plan: null }), 'execute').reasons).toEqual([
      { code: 'OUTPUT_MISSING', about: 'plan' },
    ]);
  });

  test('adds nothing to a run that already fails', () => {
    const reasons = [{ code: 'CANCELLED', about: 'task' }] as const;
    expect(failedAt(before('deliver', { reasons, draft: null }), 'deliver').reasons).toEqual(reasons);
  });
});

test.each([
  ['information', 'INPUT_REQUIRED'],
  ['help', 'OUTPUT_INVALID'],
  ['plan', 'CONFIDENCE_LOW'],
  ['draft', 'CONFIDENCE_LOW'],
  ['approval', 'APPROVAL_REQUIRED'],
  ['doubt', 'EFFECT_IN_DOUBT'],
  ['tool', 'INPUT_REQUIRED'],
] as const satisfies readonly (readonly [QuestionKind, string])[])(
  'where nobody is there to ask, a question about %s fails with %s',
  (kind, code) => {
    const questions = { q: { kind, about: 'it' } };
    expect(failedUnanswered(bare({ questions })).reasons).toEqual([{ code, about: 'it' }]);
  },
);

describe('the end', () => {
  test('gives a reason if there is none', () => {
    expect(stopped(bare()).reasons).toEqual([{ code: 'RESUME_LOST', about: 'run' }]);
    expect(stopped(bare({ reasons: [{ code: 'CANCELLED', about: 'task' }] }))).toEqual({});
  });

  test('closes what was open', () => {
    const questions = { q: { kind: 'help', about: 'plan' } } as const;
    expect(settledSafe(bare({ questions, dependencies: { x: ['r'] } }))).toMatchObject({
      outcome: 'failed',
      questions: {},
      dependencies: {},
    });
  });

  test('reports what could not be undone, and what is in doubt', () => {
    const effects = (['committed', 'stuck', 'undone', 'closed'] as const).map((status) => ({
      ...effect,
      digest: status,
      status,
    }));
    const calls = {
      w: writeCall({ status: 'doubted' }),
      v: writeCall({ status: 'allowed', underWay: true }),
      r: readCall({ status: 'asking', underWay: true }),
    };
    const reasons = [{ code: 'TOOL_FAILED', about: 'r' }] as const;
    expect(settledSafe(bare({ effects, calls, reasons })).reasons).toEqual([
      ...reasons,
      { code: 'ROLLBACK_REQUIRED', about: 'committed' },
      { code: 'ROLLBACK_REQUIRED', about: 'stuck' },
      { code: 'EFFECT_IN_DOUBT', about: 'w' },
      { code: 'EFFECT_IN_DOUBT', about: 'v' },
    ]);
  });

  test.each([
    ['somebody cancelled the task', [{ code: 'CANCELLED', about: 'task' }], 'cancelled'],
    ['a tool says that it was cancelled', [{ code: 'CANCELLED', about: 'r' }], 'failed'],
    [
      'somebody cancelled what was already failing',
      [
        { code: 'GUARD_ERROR', about: 'run' },
        { code: 'CANCELLED', about: 'task' },
      ],
      'failed',
    ],
  ] as const)('is told by its first reason: %s', (_, reasons, outcome) => {
    expect(settledSafe(bare({ reasons })).outcome).toBe(outcome);
  });
});

describe('what is counted', () => {
  test('a repair, a refresh and a pause, each by one', () => {
    expect(repaired(bare(), 'deliver', 'plan')).toMatchObject({
      unmet: expect.arrayContaining([{ code: 'OUTPUT_MISSING', about: 'draft' }]),
      counters: { repairs: 1 },
    });
    expect(asked(bare({ plan: { ...sure('p'), confidence: 0 } }))).toMatchObject({
      questions: { 'plan:p': { kind: 'plan', about: 'p' } },
      counters: { pauses: 1 },
    });
    const old = {
      r: readCall({ evidence: { id: 'e', type: 'tool_result', stale: true } }),
      s: readCall(),
      w: writeCall(),
    };
    expect(refreshed(bare({ calls: old }))).toMatchObject({
      calls: {
        r: { status: 'allowed', evidence: null },
        s: { status: 'succeeded' },
        w: { authority: 'approval' },
      },
      counters: { refreshes: 1 },
    });
  });

  test('the trail keeps what was entered, in order', () => {
    expect(entered(bare({ trail: ['verify'] }), 'deliver')).toEqual({ trail: ['verify', 'deliver'] });
  });
});

test('a round without further calls adds none', () => {
  expect(extended(before('write'))).toMatchObject({
    further: null,
    calls: before('write').calls,
    reports: {},
  });
});
