import { describe, expect, test } from 'vitest';
import { executionMachine, Fact, factTypes, taskMachine } from '../../machines/index.ts';
import { factsIn } from 'agentcharter/testing';
import { requests } from '../../src/testing/charter/world.ts';
import { worlds } from './worlds.ts';
import { before, bare } from './contexts.ts';
import { transitionsOf } from './transitions.ts';

const facts = worlds.flatMap((configuration) =>
  [
    bare(),
    before('write'),
    before('deliver'),
    bare({ questions: { q: { kind: 'help', about: 'plan' } } }),
  ].flatMap((c) => factsIn({ ...configuration, never: [] }, c)),
);

describe('the facts', () => {
  test('are each heard by the task chart, and nothing else is', () => {
    const heard = new Set(
      transitionsOf(taskMachine)
        .map(({ on }) => on)
        .filter((on) => on !== 'always'),
    );
    expect([...heard].toSorted()).toEqual(factTypes.toSorted());
  });

  test('are all heard by the phases alone, but for those of people and of a followup', () => {
    const heard = new Set(transitionsOf(executionMachine).map(({ on }) => on));
    expect(new Set(factTypes.filter((type) => !heard.has(type)))).toEqual(
      new Set(['human.responded', 'followup.offered', 'changes.requested']),
    );
  });

  test('that the tests tell are facts', () => {
    expect(new Set(facts.map(({ type }) => type)).size).toBeGreaterThan(20);
    expect(facts.filter((fact) => !Fact.safeParse(fact).success)).toEqual([]);
  });
});

test.each(['MODEL_UNAVAILABLE', 'MODEL_ERROR', 'POLICY_UNAVAILABLE', 'POLICY_ERROR', 'GUARD_ERROR'])(
  'a run may be stopped by %s',
  (code) => {
    expect(Fact.safeParse({ type: 'run.failed', code }).success).toBe(true);
  },
);

describe('a fact is refused', () => {
  const [request] = requests;
  const of = { request, attempt: 0, call: 'r' };
  const evidence = { id: 'e', type: 'tool_result' };

  test.each([
    ['of no type', { type: 'constructor' }],
    ['of XState itself', { type: 'xstate.init' }],
    ['about a request that is no UUID', { type: 'call.succeeded', ...of, request: 'one', evidence }],
    ['about no whole attempt', { type: 'call.succeeded', ...of, attempt: 0.5, evidence }],
    ['about an attempt before the first', { type: 'call.succeeded', ...of, attempt: -1, evidence }],
    ['with a name longer than 128 characters', { type: 'help.requested', question: 'q'.repeat(129) }],
    ['with a name that is not printable', { type: 'help.requested', question: 'q\u0000' }],
    ['with no name', { type: 'help.requested', question: '' }],
    ['with a space in a digest', { type: 'rollback.started', request, digest: 'a b' }],
    [
      'with confidence beyond one',
      { type: 'draft.proposed', digest: 'd', confidence: 1.1, canProceed: true },
    ],
    [
      'with confidence that is no number',
      { type: 'draft.proposed', digest: 'd', confidence: Number.NaN, canProceed: true },
    ],
    ['with a code that is nobody’s', { type: 'call.failed', ...of, code: 'OOPS' }],
    ['that stops a run with a refusal', { type: 'run.failed', code: 'POLICY_BLOCKED' }],
    [
      'of an approval without its approver',
      { type: 'approval.granted', request, digest: 'd', authority: 'approval' },
    ],
    ['of a person who has no name', { type: 'human.responded', question: 'q', feedback: 'approve', by: '' }],
    [
      'of a report that neither passed nor failed',
      {
        type: 'verifier.reported',
        request,
        attempt: 0,
        verifier: 'v',
        of: 'd',
        evidence: 0,
        status: 'timeout',
      },
    ],
    [
      'with a code of a report that is nobody’s',
      {
        type: 'verifier.reported',
        request,
        attempt: 0,
        verifier: 'v',
        of: 'd',
        evidence: 0,
        status: 'fail',
        code: 'OOPS',
      },
    ],
    [
      'with more causes than anybody reads',
      {
        type: 'call.failed',
        ...of,
        code: 'CHILD_FAILED',
        causes: Array.from({ length: 9 }, () => 'TOOL_FAILED'),
      },
    ],
    [
      'with a cause that is nobody’s',
      { type: 'call.doubted', ...of, code: 'CHILD_FAILED', causes: ['OOPS'] },
    ],
    ['with a deadline of nothing', { type: 'deadline.passed', of: 'toString', id: 'r' }],
  ])('%s', (_, fact) => {
    expect(Fact.safeParse(fact).success).toBe(false);
  });
});
