import { SpanKind } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { call, draft, never, plan, readTool, writeTool } from '../../core/shell/scripted.ts';
import { followContext, followed } from './exported.ts';

followContext();

describe('the spans of work', () => {
  const hangs = readTool('hangs', { call: (_, { signal }) => never(signal) });

  it('distinguish calls that ask, wait and time out', async () => {
    const scenario = followed({
      model: [plan([call('asks'), call('waits'), call('hangs')]), draft()],
      tools: [
        readTool('asks', { call: (_, { needsHuman }) => needsHuman({ explanation: 'Which?' }) }),
        readTool('waits', { call: (_, { notYet }) => notYet({ dependency: 'mail', explanation: '' }) }),
        hangs,
      ],
    });
    const taskId = await scenario.submit();
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    await scenario.ended(taskId);
    expect(scenario.tree()).toMatchInlineSnapshot(`
      [
        "task work: failure (CANCELLED)",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    execute_tool asks: asking",
        "    execute_tool waits: waiting",
        "    execute_tool hangs: given_up !",
        "  execute",
        "  fail_safe",
      ]
    `);
    expect(scenario.open()).toBe(0);
  });

  it('show a failed read and an aborted read beside it', async () => {
    const scenario = followed({
      model: [plan([call('breaks'), call('hangs')]), draft()],
      tools: [
        hangs,
        readTool('breaks', {
          call: () => {
            throw new RangeError('too far');
          },
        }),
      ],
      taskClass: { limits: { repairs: 0 } },
    });
    await scenario.ended(await scenario.submit());
    expect(scenario.tree()).toMatchInlineSnapshot(`
      [
        "task work: failure (TOOL_FAILED) !",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    execute_tool breaks: failed (TOOL_FAILED) !",
        "    execute_tool hangs: given_up !",
        "    gate write: shut (TOOL_FAILED) !",
        "  fail_safe",
      ]
    `);
    expect(scenario.open()).toBe(0);
  });

  it('show a write in doubt and a policy that denies', async () => {
    const doubted = followed({
      model: [plan([call('send')]), draft()],
      tools: [writeTool('send', { call: () => Promise.reject(new Error('connection reset')) })],
      taskClass: { limits: { repairs: 0 } },
    });
    const taskId = await doubted.submit();
    await doubted.answer('reject');
    await doubted.ended(taskId);
    expect(doubted.tree()).toMatchInlineSnapshot(`
      [
        "task work: failure (HUMAN_REJECTED) !",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    policy send: allow",
        "    gate write: open",
        "    policy send: allow",
        "    execute_tool send: doubted (EFFECT_IN_DOUBT) !",
        "    gate write: asks (EFFECT_IN_DOUBT)",
        "  execute",
        "    gate write: shut (HUMAN_REJECTED) !",
        "  fail_safe",
      ]
    `);
    const denied = followed({
      model: [plan([call('send')])],
      tools: [writeTool('send')],
      policy: 'deny',
    });
    await denied.ended(await denied.submit());
    expect(denied.tree()).toMatchInlineSnapshot(`
      [
        "task work: uncertain (POLICY_BLOCKED) !",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    policy send: deny !",
        "  fail_safe",
      ]
    `);
  });
});

describe('the attributes of a span', () => {
  it('follow the generative AI conventions where these have a name', async () => {
    const scenario = followed({ model: [plan([call('send')]), draft()], tools: [writeTool('send')] });
    const taskId = await scenario.submit();
    await scenario.ended(taskId);
    const { request, calls } = (await scenario.orchestrator.ledger(taskId)).reduce(
      (all, { brought }) => ({ ...all, ...brought }),
      {} as { request?: { threadId: string }; calls?: readonly { id: string }[] },
    );
    const id = calls?.[0]?.id;
    const tool = scenario.one('execute_tool send');
    expect(tool.kind).toBe(SpanKind.INTERNAL);
    expect(tool.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'send',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': id,
      'agentcharter.risk_tier': 'write_low_risk',
      'agentcharter.tool_version': '1',
      'agentcharter.attempt': 0,
      'agentcharter.outcome': 'succeeded',
    });
    const policies = scenario.named('policy send');
    expect(policies).toHaveLength(2); // it is asked again where the write begins
    for (const policy of policies)
      expect(policy.attributes).toMatchObject({
        'gen_ai.tool.call.id': id,
        'agentcharter.outcome': 'allow',
      });
    const [model] = scenario.named('chat');
    expect(model?.kind).toBe(SpanKind.CLIENT);
    expect(model?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'agentcharter.asks': 'plan',
      'agentcharter.attempt': 0,
      'agentcharter.outcome': 'answered',
    });
    const [first] = await scenario.orchestrator.ledger(taskId);
    expect(scenario.one('task work').attributes).toEqual({
      'agentcharter.task_id': taskId,
      'agentcharter.task_class': 'work',
      'agentcharter.request_id': first?.request_id,
      'gen_ai.agent.id': 'recommender',
      'gen_ai.conversation.id': request?.threadId,
      'agentcharter.state': 'completed',
      'agentcharter.outcome': 'success',
      'agentcharter.reason_codes': [],
    });
    expect(scenario.one('execute').attributes).toEqual({
      'agentcharter.phase': 'execute',
      'agentcharter.attempt': 0,
      'agentcharter.request_id': first?.request_id,
    });
    expect(scenario.one('gate write').attributes).toEqual({
      'agentcharter.gate': 'write',
      'agentcharter.verdict': 'open',
      'agentcharter.violations': [],
    });
  });
});
