import { SpanKind } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { fails, passes, scene, type Given } from '../orchestrator/scene.ts';
import { call, draft, never, plan, readTool, writeTool } from '../orchestrator/scripted.ts';
import { exporting, followContext } from './exported.ts';

followContext();

const followed = (given: Given) => {
  const told = exporting();
  return { ...told, ...scene({ ...given, options: { ...given.options, telemetry: told.telemetry } }) };
};

describe('the spans of a task', () => {
  it('are the task, its phases, and in each phase its work and its gates', async () => {
    const told = followed({
      model: [plan([call('look')]), draft()],
      tools: [readTool('look')],
      verifiers: { checker: passes },
      taskClass: { beforeDeliver: { verifiers: ['checker'] } },
    });
    await told.ended(await told.submit());
    expect(told.tree()).toMatchInlineSnapshot(`
      [
        "task work: success",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    execute_tool look: succeeded",
        "    chat: answered",
        "  verify",
        "    verify checker: pass",
        "    gate deliver: open",
        "  deliver",
      ]
    `);
    expect(told.open()).toBe(0);
  });

  it('show a write that a person clears: the policy, the gate that asks and then opens, the question on the task', async () => {
    const told = followed({
      model: [plan([call('send')]), draft()],
      tools: [writeTool('send')],
      policy: 'needs_review',
    });
    const taskId = await told.submit();
    await told.answer('approve');
    await told.ended(taskId);
    expect(told.tree()).toMatchInlineSnapshot(`
      [
        "task work: success",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    policy send: needs_review",
        "    gate write: asks (APPROVAL_REQUIRED)",
        "  execute",
        "    gate write: open",
        "    execute_tool send: succeeded",
        "    chat: answered",
        "  verify",
        "    gate deliver: open",
        "  deliver",
      ]
    `);
    const { id } = (await told.orchestrator.documents(taskId)).flatMap(({ name, document }) =>
      name === 'UpFormatMessage' && document.state === 'needsHumanDecision'
        ? [document.payload['question'] as { id: string }]
        : [],
    )[0]!;
    expect(told.one('task work').events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['agentcharter.state.entered', { 'agentcharter.state': 'submitted' }],
      ['agentcharter.state.entered', { 'agentcharter.state': 'needsHumanDecision' }],
      [
        'agentcharter.question.opened',
        { 'agentcharter.question': id, 'agentcharter.question_kind': 'approval' },
      ],
      [
        'agentcharter.question.answered',
        {
          'agentcharter.question': id,
          'agentcharter.question_kind': 'approval',
          'agentcharter.answer': 'approve',
        },
      ],
      ['agentcharter.state.entered', { 'agentcharter.state': 'submitted' }],
      ['agentcharter.state.entered', { 'agentcharter.state': 'completed' }],
    ]);
  });

  it('show the gate that said no, what stood against it, and the task that failed', async () => {
    const told = followed({
      model: [plan([call('look')]), draft()],
      tools: [readTool('look')],
      verifiers: { checker: fails },
      taskClass: { beforeDeliver: { verifiers: ['checker'] }, limits: { repairs: 0 } },
    });
    await told.ended(await told.submit());
    expect(told.tree()).toMatchInlineSnapshot(`
      [
        "task work: uncertain (VERIFICATION_FAILED) !",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    execute_tool look: succeeded",
        "    chat: answered",
        "  verify",
        "    verify checker: fail !",
        "    gate deliver: shut (VERIFICATION_FAILED) !",
        "  execute",
        "  fail_safe",
      ]
    `);
    expect(told.one('gate deliver').status.message).toBe('VERIFICATION_FAILED');
    expect(told.one('task work').attributes).toMatchObject({
      'agentcharter.outcome': 'uncertain',
      'agentcharter.state': 'failed',
      'agentcharter.reason_codes': ['VERIFICATION_FAILED'],
      'error.type': 'VERIFICATION_FAILED',
    });
  });

  it('show each attempt of a repair, with its cause at the gate', async () => {
    let checks = 0;
    const told = followed({
      model: [plan([call('look')]), draft(), plan([call('look')]), draft()],
      tools: [readTool('look')],
      verifiers: { checker: (...asked) => ((checks += 1) === 1 ? fails : passes)(...asked) },
      taskClass: { beforeDeliver: { verifiers: ['checker'] }, limits: { repairs: 1 } },
    });
    await told.ended(await told.submit());
    expect(told.tree()).toMatchInlineSnapshot(`
      [
        "task work: success",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    execute_tool look: succeeded",
        "    chat: answered",
        "  verify",
        "    verify checker: fail !",
        "    gate deliver: shut (VERIFICATION_FAILED) !",
        "  execute",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    execute_tool look: succeeded",
        "    chat: answered",
        "  verify",
        "    verify checker: pass",
        "    gate deliver: open",
        "  deliver",
      ]
    `);
    expect(told.named('execute_tool look').map((span) => span.attributes['agentcharter.attempt'])).toEqual([
      0, 1,
    ]);
  });

  it('show the rollback of a write, and one that failed', async () => {
    const told = followed({
      model: [plan([call('first'), call('second')]), draft()],
      tools: [
        writeTool('first'),
        writeTool('second', {
          rollback: {
            describe: () => ({ type: 'inverse', target: 'second', payload: {} }),
            run: async () => {
              throw new TypeError('it is gone');
            },
          },
        }),
      ],
      verifiers: { checker: fails },
      taskClass: { beforeDeliver: { verifiers: ['checker'] }, limits: { repairs: 0 } },
    });
    await told.ended(await told.submit());
    expect(told.tree()).toMatchInlineSnapshot(`
      [
        "task work: uncertain (VERIFICATION_FAILED, ROLLBACK_REQUIRED) !",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    policy first: allow",
        "    policy second: allow",
        "    gate write: open",
        "    execute_tool first: succeeded",
        "    gate write: open",
        "    execute_tool second: succeeded",
        "    chat: answered",
        "  verify",
        "    verify checker: fail !",
        "    gate deliver: shut (VERIFICATION_FAILED) !",
        "  execute",
        "    rollback second: failed !",
        "    rollback first: succeeded",
        "  fail_safe",
      ]
    `);
    const { status, events, attributes } = told.one('rollback second');
    expect(status.message).toBe('it is gone');
    expect(attributes['error.type']).toBe('TypeError');
    expect(events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['exception', { 'exception.type': 'TypeError', 'exception.message': 'it is gone' }],
    ]);
  });

  it('tell apart how calls end: failed, in doubt, asking, waiting, denied, given up', async () => {
    const told = followed({
      model: [plan([call('breaks'), call('asks'), call('waits'), call('hangs')]), draft()],
      tools: [
        readTool('asks', { call: (_, { needsHuman }) => needsHuman({ explanation: 'Which?' }) }),
        readTool('waits', { call: (_, { notYet }) => notYet({ dependency: 'mail', explanation: '' }) }),
        readTool('hangs', { call: (_, { signal }) => never(signal) }),
        readTool('breaks', {
          call: () => {
            throw new RangeError('too far');
          },
        }),
      ],
    });
    const taskId = await told.submit();
    await told.orchestrator.cancel(taskId, { by: 'dana' });
    await told.ended(taskId);
    expect(told.tree()).toMatchInlineSnapshot(`
      [
        "task work: failure (CANCELLED)",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    execute_tool breaks: failed (TOOL_FAILED) !",
        "    execute_tool asks: asking",
        "    execute_tool waits: waiting",
        "    execute_tool hangs: given_up !",
        "  execute",
        "  execute",
        "  fail_safe",
      ]
    `);
    expect(told.open()).toBe(0);
  });

  it('show a write in doubt, and a policy that says no', async () => {
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
        "  execute",
        "  fail_safe",
      ]
    `);
  });

  it('end when the orchestrator closes before the task has settled', async () => {
    const told = followed({ model: [plan([], { confidence: 0.1 })] });
    await told.submit();
    expect(told.open()).toBe(2);
    await told.orchestrator.close();
    expect(told.open()).toBe(0);
    expect(told.tree()).toMatchInlineSnapshot(`
      [
        "task work: pending",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: asks (CONFIDENCE_LOW)",
      ]
    `);
    told.leave();
  });

  it('go on through the changes that a person asks for at a followup', async () => {
    const told = followed({
      model: ({ asks }: { asks: string }) => (asks === 'plan' ? plan() : draft()),
      taskClass: {
        followup: () => ({ explanation: 'Shall I?', payload: {}, byDefault: { by: 'price' } }),
      },
    } as Given);
    const taskId = await told.submit();
    await told.answer('instruction', 'in Lisbon only');
    await told.answer('approve');
    await told.ended(taskId);
    expect(told.tree()).toMatchInlineSnapshot(`
      [
        "task work: success",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    chat: answered",
        "  verify",
        "    gate deliver: open",
        "  deliver",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    chat: answered",
        "  verify",
        "    gate deliver: open",
        "  deliver",
      ]
    `);
    expect(told.open()).toBe(0);
  });
});

describe('the attributes of a span', () => {
  it('are those of the conventions for generative AI, where they have a name for it', async () => {
    const told = followed({ model: [plan([call('send')]), draft()], tools: [writeTool('send')] });
    const taskId = await told.submit();
    await told.ended(taskId);
    const { request, calls } = (await told.orchestrator.ledger(taskId)).reduce(
      (all, { brought }) => ({ ...all, ...brought }),
      {} as { request?: { threadId: string }; calls?: readonly { id: string }[] },
    );
    const id = calls?.[0]?.id;
    const tool = told.one('execute_tool send');
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
    expect(told.one('policy send').attributes).toMatchObject({
      'gen_ai.tool.call.id': id,
      'agentcharter.outcome': 'allow',
    });
    const [model] = told.named('chat');
    expect(model?.kind).toBe(SpanKind.CLIENT);
    expect(model?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'agentcharter.asks': 'plan',
      'agentcharter.attempt': 0,
      'agentcharter.outcome': 'answered',
    });
    const [first] = await told.orchestrator.ledger(taskId);
    expect(told.one('task work').attributes).toEqual({
      'agentcharter.task_id': taskId,
      'agentcharter.task_class': 'work',
      'agentcharter.request_id': first?.request_id,
      'gen_ai.agent.id': 'recommender',
      'gen_ai.conversation.id': request?.threadId,
      'agentcharter.state': 'completed',
      'agentcharter.outcome': 'success',
      'agentcharter.reason_codes': [],
    });
    expect(told.one('execute').attributes).toEqual({
      'agentcharter.phase': 'execute',
      'agentcharter.attempt': 0,
      'agentcharter.request_id': first?.request_id,
    });
    expect(told.one('gate write').attributes).toEqual({
      'agentcharter.gate': 'write',
      'agentcharter.verdict': 'open',
      'agentcharter.violations': [],
    });
  });
});
