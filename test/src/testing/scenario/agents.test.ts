import { generateGuarded, guardTools } from 'agentcharter/adapters/ai-sdk';
import type { GuardedAgent } from 'agentcharter/guard';
import { MockLanguageModelV4 } from 'ai/test';
import { ToolLoopAgent, tool } from 'ai';
import { defineTaskClass } from 'agentcharter';
import { noAnswer, scenario, type ScenarioAnswers } from 'agentcharter/testing';
import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { charter, refunds, request, tools } from './charter.ts';

/** Returns the message of the error of a step. */
const messageOf = async (step: () => unknown): Promise<string> => {
  try {
    await step();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  return expect.fail('nothing failed');
};

const find = { calls: [{ tool: 'order.find', arguments: { order: 'o-7' } } as const] };
const refundOf = (cents: number) => ({
  calls: [{ tool: 'refund', arguments: { order: 'o-7', cents } } as const],
});

const asked = () =>
  refunds
    .given({ agents: { refunds: [find, refundOf(18_000), { payload: { refunded: 18_000 } }] }, tools })
    .when(request);

/** An agent of your own, whose model takes real time. */
const slowAgent: GuardedAgent = async (run, turn) => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  const found = await run.call('order.find', turn.request, { ref: 'find' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (found.status !== 'done') return;
  const { cents } = z.object({ cents: z.int() }).parse(found.result);
  const paid = await run.call('refund', { order: 'o-7', cents }, { ref: 'refund' });
  if (paid.status === 'done') await run.conclude({ payload: { refunded: cents } });
};

const given = (answers: ScenarioAnswers<typeof charter.tools, typeof charter.taskClasses>) =>
  expect(answers).toBeDefined();

describe('a scenario with the agents of a guard', () => {
  it('asks Dana before a refund, and delivers what the agent concludes after she approves', async () => {
    const run = await asked();
    run.expectQuestion({ kind: 'approval', tool: 'refund' });
    run.expectCalled('order.find', { order: 'o-7' });
    run.expectNotCalled('refund');
    await run.expectResponseRefused({ type: 'approve' }, { by: 'eve' }, 'identity_refused');
    await run.passTime('2 days');
    await run.respond({ type: 'approve' }, { by: 'dana' });
    run.expectCalled('refund', { order: 'o-7', cents: 18_000 });
    expect(run.expectDelivered({ refunded: 18_000 }).refunded).toBe(18_000);
  });

  it('is the same each time, and names the agent', async () => {
    const threads = await Promise.all(
      [1, 2].map(async () => {
        const run = await asked();
        await run.respond({ type: 'approve' }, { by: 'dana' });
        return run.thread;
      }),
    );
    expect(new Set(threads).size).toBe(1);
    expect(threads[0]).toMatchInlineSnapshot(`
      "  1. agent asks for refunds: { order: 'o-7' }
        2. the request is accepted
        3. the agent plans order.find({ order: 'o-7' })
        4. order.find begins
        5. order.find succeeds: { cents: 18000 }
        6. the agent also plans refund({ order: 'o-7', cents: 18000 })
        7. the verifier amount passes refund
        8. the policy allows refund: at most 500 EUR
        9. a person is asked about refund: Call refund with order "o-7", cents 18000.
       10. dana approves refund
       11. the clearance of refund still holds
       12. refund begins
       13. refund succeeds: { ok: true }
       14. the agent drafts the answer: { refunded: 18000 }
       15. the task delivers { refunded: 18000 }"
    `);
  });

  it('refuses what the policy denies, and what the verifier fails', async () => {
    const denied = await refunds
      .given({
        agents: { refunds: [find, refundOf(60_000)] },
        tools: { ...tools, 'order.find': { cents: 90_000 } },
      })
      .when(request);
    denied.expectRefused('POLICY_BLOCKED', 'refund');
    denied.expectNotCalled('refund');
    const failed = await refunds
      .given({ agents: { refunds: [find, refundOf(20_000)] }, tools })
      .when(request);
    failed.expectRefused('VERIFICATION_FAILED', 'amount');
  });

  it('goes on with the next step after a refusal, and says what the agent was told', async () => {
    const run = await refunds
      .given({ agents: { refunds: [find, refundOf(0.5), refundOf(18_000)] }, tools })
      .when(request);
    run.expectQuestion({ tool: 'refund' });
    expect(run.thread).toMatch(/the agent is told that refund is refused \(OUTPUT_INVALID\)/);
  });

  it('goes on with the next step after a rejection', async () => {
    const run = await refunds
      .given({
        agents: { refunds: [find, refundOf(18_000), { payload: { refunded: 0 } }] },
        tools,
      })
      .when(request);
    await run.respond({ type: 'reject' }, { by: 'dana' });
    expect(run.thread).toContain('the agent is told that refund is refused (HUMAN_REJECTED)');
    run.expectNotCalled('refund');
    run.expectDelivered({ refunded: 0 });
  });

  it('goes on with the next step after a failed attempt, and says what the agent was told', async () => {
    const report = defineTaskClass({
      id: 'report',
      tools: ['order.find'],
      beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'order.find' }] },
    });
    const strict = scenario({ ...charter, taskClasses: [...charter.taskClasses, report] });
    const answer = { payload: { cents: 18_000 } };
    const run = await strict
      .given({ agents: { report: [answer, find, answer] }, tools: { 'order.find': { cents: 18_000 } } })
      .when({ taskClass: 'report', payload: {} });
    expect(run.thread).toContain('the agent is told to try again: EVIDENCE_MISSING');
    run.expectDelivered({ cents: 18_000 });
  });

  it('makes the calls of one step together', async () => {
    const run = await refunds
      .given({ agents: { refunds: [{ calls: [...find.calls, ...refundOf(18_000).calls] }] }, tools })
      .when(request);
    expect(run.thread).toContain("the agent plans order.find({ order: 'o-7' }), refund(");
    run.expectQuestion({ tool: 'refund' });
  });

  it('lets the deadlines of a tool and of an agent pass', async () => {
    const slow = await refunds
      .given({ agents: { refunds: [find, noAnswer] }, tools: { 'order.find': noAnswer } })
      .when(request);
    await slow.passTime('1 hour');
    expect(slow.thread).toContain('order.find is refused (TOOL_TIMEOUT)');
    const away = await refunds.given({ agents: { refunds: [noAnswer] }, tools }).when(request);
    await away.passTime('3 days');
    away.expectRefused('HOST_UNAVAILABLE');
  });

  it('runs the agents of tasks within a task', async () => {
    const run = await refunds
      .given({
        agents: {
          complaint: [
            { calls: [{ tool: 'research', arguments: { question: 'why?' } }] },
            { payload: { answer: 'it broke' } },
          ],
          research: [find, { payload: { found: 'a crack' } }],
        },
        tools,
      })
      .when({ taskClass: 'complaint', payload: { text: 'It broke.' } });
    run.expectDelivered({ answer: 'it broke' });
    run.expectCalled('order.find');
  });

  it('runs an agent that is a function, and waits for what it does in real time', async () => {
    const run = await refunds.given({ agents: { refunds: slowAgent }, tools }).when(request);
    await run.respond({ type: 'approve' }, { by: 'dana' });
    run.expectDelivered({ refunded: 18_000 });
  });

  it('refuses another payload, another tool and other arguments at compile time', () => {
    // @ts-expect-error: the payload of a class has the type of its output
    given({ agents: { refunds: [{ payload: { refunded: 'all' } }] } });
    // @ts-expect-error: no tool has this name
    given({ agents: { refunds: [{ calls: [{ tool: 'refnd', arguments: {} }] }] } });
    // @ts-expect-error: cents are a number
    given({ agents: { refunds: [{ calls: [{ tool: 'refund', arguments: { order: '', cents: '' } }] }] } });
    // @ts-expect-error: either a model or agents
    given({ agents: {}, model: [] });
  });
});

describe('a scenario with agents that fails', () => {
  it('names the agent that is missing, or a step that is', async () => {
    const none = refunds.given({ agents: {}, tools });
    expect(await messageOf(() => none.when(request))).toMatch(
      /^The scenario gives no agent of refunds\.\n\nWhat happened:\n {2}1\. /,
    );
    const short = refunds.given({ agents: { refunds: [find] }, tools });
    expect(await messageOf(() => short.when(request))).toMatch(
      /^The scenario gives no more steps of the agent of refunds: after 1, it goes on\./,
    );
    const silent = refunds.given({ agents: { refunds: [find] } });
    expect(await messageOf(() => silent.when(request))).toMatch(
      /^The scenario gives no answer for the tool order\.find, called with /,
    );
  });

  it('refuses a misspelt task class, and a model beside agents', async () => {
    const misspelt: object = { refund: [] };
    expect(await messageOf(() => refunds.given({ agents: misspelt }))).toBe(
      'given: the task class "refund" is unknown. Did you mean "refunds"?',
    );
    const both = { agents: {}, model: [] } as unknown as { agents: object }; // plain JavaScript
    expect(await messageOf(() => refunds.given(both))).toBe(
      'given: expected `model` or `agents`, and not both',
    );
    const neither = {} as { agents: object };
    expect(await messageOf(() => refunds.given(neither))).toBe('given: expected `model` or `agents`');
  });
});

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

describe('an agent of a framework in a scenario', () => {
  it('is resumed after an answer', async () => {
    const guarded = guardTools(
      {
        refund: tool({
          inputSchema: z.object({ cents: z.int() }),
          execute: async (): Promise<unknown> => expect.fail('the code runs'),
        }),
      },
      {
        refund: {
          rollback: {
            describe: () => ({ type: 'recall', target: 'till', payload: {} }),
            run: async () => ({}),
          },
        },
      },
    );
    const answers = [
      { type: 'tool-call' as const, toolCallId: 'call-1', toolName: 'refund', input: '{"cents":1200}' },
      { type: 'text' as const, text: 'I refunded it.' },
    ];
    const model = new MockLanguageModelV4({
      doGenerate: async () => ({
        content: [answers.shift() ?? expect.fail('no more answers')],
        finishReason: {
          unified: answers.length > 0 ? ('tool-calls' as const) : ('stop' as const),
          raw: undefined,
        },
        usage,
        warnings: [],
      }),
    });
    const agent: GuardedAgent = (run) =>
      generateGuarded({
        run,
        agent: new ToolLoopAgent(guarded.bind(run, { model })),
        messages: [{ role: 'user', content: 'Refund o-7.' }],
      });
    const sdk = scenario({
      taskClasses: [defineTaskClass({ id: 'refunds', tools: ['refund'], authorities: ['human'] })],
      tools: guarded.tools,
      policy: { decide: () => ({ verdict: 'allow', reasons: ['support may refund'] }) },
    });
    const run = await sdk
      .given({ agents: { refunds: agent }, tools: { refund: { ok: true } } })
      .when({ taskClass: 'refunds', payload: {} });
    run.expectQuestion({ kind: 'approval', tool: 'refund' });
    await run.respond({ type: 'approve' }, { by: 'dana' });
    run.expectCalled('refund', { cents: 1200 });
    run.expectDelivered();
  });
});
