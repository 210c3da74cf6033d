import { describe, expect, it } from 'vitest';
import { ReasonCode } from '../../../../schema/index.ts';
import { taskClass } from '../../../../machines/index.ts';
import { emptyProjection } from '../../../../src/core/kernel/projection/projection.ts';
import { failureWords } from '../../../../src/core/kernel/failure-words.ts';
import { withoutCause } from '../../../../src/core/kernel/settled.ts';
import { fails, scene, type Given } from '../shell/scene.ts';
import { call, draft, identity, plan, readTool, writeTool } from '../shell/scripted.ts';
import { settle } from '../shell/simulated-clock.ts';

const once = { limits: { repairs: 0 } };
const pay = (more = {}) =>
  writeTool('pay', { summary: ({ amount }) => `Pay ${String(amount)} EUR.`, ...more });
const paying = [plan([call('pay', { amount: 5 })]), draft()];

const failedWith = async (given: Given, act: (made: ReturnType<typeof scene>) => unknown = () => {}) => {
  const made = scene(given);
  const taskId = await made.submit();
  await act(made);
  await settle();
  const { message } = await made.ended(taskId);
  return message;
};

describe('the last message of a failed run says what was missing and what to do', () => {
  it.each<[string, Given, (made: ReturnType<typeof scene>) => unknown, readonly string[]]>([
    [
      'evidence before delivery',
      {
        taskClass: { ...once, beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'look' }] } },
        tools: [readTool('look')],
      },
      () => {},
      [
        'Task class "work" requires a result of tool look before delivery, and there is none.',
        'Submit again with what',
      ],
    ],
    [
      'evidence before a write',
      {
        model: paying,
        tools: [readTool('look'), pay()],
        taskClass: { ...once, beforeWrite: { evidence: [{ type: 'tool_result', tool: 'look' }] } },
      },
      () => {},
      ['requires a result of tool look before each write, and there is none.'],
    ],
    [
      'evidence that is empty',
      {
        model: [plan([call('look')]), draft()],
        taskClass: { ...once, beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'look' }] } },
        tools: [readTool('look', { call: () => ({}) })],
      },
      () => {},
      ['before delivery, and none that there is counts: it is empty, about something else, or of an'],
    ],
    [
      'evidence that only a person stated',
      {
        model: paying,
        taskClass: { ...once, beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'pay' }] } },
        tools: [pay({ call: () => Promise.reject(new Error('lost')) })],
      },
      ({ answer }) => answer('edit', { value: { effect: 'done' } }),
      ['a result of tool pay before delivery, and what a person says counts only with `byPerson`.'],
    ],
    [
      'a verifier',
      { verifiers: { totals: fails }, taskClass: { ...once, beforeDeliver: { verifiers: ['totals'] } } },
      () => {},
      ['Task class "work" requires verifier totals to pass, and it did not.'],
    ],
    [
      'what the policy allows of a write that a person changed',
      {
        model: paying,
        tools: [pay()],
        policy: ({ arguments: input }) => ({
          verdict: (input as { amount: number }).amount === 5 ? 'needs_review' : 'deny',
          reasons: ['above 5'],
        }),
        taskClass: once,
      },
      ({ answer }) => answer('edit', { value: { amount: 6 } }),
      ['Pay 6 EUR, as dana changed it: The policy does not allow the action. It says: above 5.'],
    ],
    [
      'what the policy allows',
      {
        model: paying,
        tools: [pay()],
        policy: () => ({ verdict: 'deny', reasons: ['payments are closed'] }),
        taskClass: once,
      },
      () => {},
      ['Pay 5 EUR: The policy does not allow the action. It says: payments are closed.', 'change the policy'],
    ],
    [
      'an answer in time',
      { model: [{ canProceed: false, confidence: 0.9, explanation: 'Where?' }] },
      ({ clock }) => clock.advance(8 * 24 * 3_600_000),
      ['A question without a default was not answered before its deadline.', 'deadlines.question'],
    ],
    [
      'a limit, with its number',
      {
        model: () => plan([call('look')]),
        tools: [readTool('look')],
        taskClass: { atLimit: 'stop', limits: { rounds: 2 } },
      },
      () => {},
      ['Task class "work" allows limits.rounds = 2, which is used up.', 'raise this limit'],
    ],
  ])('%s', async (_, given, act, expected) => {
    const { state, explanation, payload } = await failedWith(given, act);
    expect(state).toBe('failed');
    for (const text of expected) expect(explanation).toContain(text);
    expect(explanation).toContain('What you can do:');
    expect(explanation).not.toMatch(/[A-Z]+_[A-Z]+|sha256:|[0-9a-f]{8}-[0-9a-f]{4}/);
    const [reason] = payload['reasons'] as readonly Record<string, unknown>[];
    expect(reason).toMatchObject({ says: expect.any(String), remedy: expect.any(String) });
  });
});

it('each reason code has a sentence and a remedy, without codes and digests', () => {
  const request = { taskClass: 'work', threadId: '', payload: {}, explanation: '', identity };
  const none = { reports: {}, reasons: [], calls: {} } as Partial<Parameters<typeof failureWords>[1]>;
  const context = { taskClass: taskClass({ id: 'work' }), ...none } as Parameters<typeof failureWords>[1];
  for (const code of ReasonCode.options) {
    const about = /^(?:EVIDENCE_|VERIFICATION_FAILED)/.test(code)
      ? 'tool_result'
      : `approval:sha256:${'0'.repeat(64)}`;
    const { says, remedy } = failureWords({ code, about }, context, emptyProjection(request, ''));
    for (const text of [says, remedy]) {
      expect(text, code).toMatch(/^\S.{10,}\.$/);
      expect(text, code).not.toMatch(/sha256|[A-Z]{3,}_[A-Z]/);
    }
  }
});

it.each([
  ['It failed. Cause: “a secret” What you can do: Try again.', 'It failed. What you can do: Try again.'],
  ['It failed. Cause: “a “What you can do: ” secret”', 'It failed.'],
  [
    'It failed. Cause: “a secret” These writes stay: Pay. What you can do: Try again.',
    'It failed. These writes stay: Pay. What you can do: Try again.',
  ],
])('leaves out what a tool said of %s', (explanation, left) => {
  expect(withoutCause(explanation)).toBe(left);
});
