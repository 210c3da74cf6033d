import { describe, expect, it } from 'vitest';
import { fails, passes } from '../../core/shell/scene.ts';
import { openTelemetry, type OpenTelemetryOptions } from '../../../../src/optional/telemetry/index.ts';
import type { Turn } from '../../../../src/index.ts';
import { call, draft, plan, readTool, writeTool } from '../../core/shell/scripted.ts';
import { followContext, followed } from './exported.ts';

followContext();

describe('the spans of a task', () => {
  it('are the task, its phases, and the work and gates of each phase', async () => {
    const scenario = followed({
      model: [plan([call('look')]), draft()],
      tools: [readTool('look')],
      verifiers: { checker: passes },
      taskClass: { beforeDeliver: { verifiers: ['checker'] } },
    });
    await scenario.ended(await scenario.submit());
    expect(scenario.tree()).toMatchInlineSnapshot(`
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
    expect(scenario.open()).toBe(0);
  });

  it('show a write that a person approves: the policy, the gate before and after, the question on the task', async () => {
    const scenario = followed({
      model: [plan([call('send')]), draft()],
      tools: [writeTool('send')],
      policy: 'needs_review',
    });
    const taskId = await scenario.submit();
    await scenario.answer('approve');
    await scenario.ended(taskId);
    expect(scenario.tree()).toMatchInlineSnapshot(`
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
        "    policy send: needs_review",
        "    execute_tool send: succeeded",
        "    chat: answered",
        "  verify",
        "    gate deliver: open",
        "  deliver",
      ]
    `);
    const { id } = (await scenario.orchestrator.documents(taskId)).flatMap(({ name, document }) =>
      name === 'UpFormatMessage' && document.state === 'needsHumanDecision'
        ? [document.payload['question'] as { id: string }]
        : [],
    )[0]!;
    expect(scenario.one('task work').events.map(({ name, attributes }) => [name, attributes])).toEqual([
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

  it('show the closed gate, its reasons and the failed task', async () => {
    const scenario = followed({
      model: [plan([call('look')]), draft()],
      tools: [readTool('look')],
      verifiers: { checker: fails },
      taskClass: { beforeDeliver: { verifiers: ['checker'] }, limits: { repairs: 0 } },
    });
    await scenario.ended(await scenario.submit());
    expect(scenario.tree()).toMatchInlineSnapshot(`
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
        "  fail_safe",
      ]
    `);
    expect(scenario.one('gate deliver').status.message).toBe('VERIFICATION_FAILED');
    expect(scenario.one('task work').attributes).toMatchObject({
      'agentcharter.outcome': 'uncertain',
      'agentcharter.state': 'failed',
      'agentcharter.reason_codes': ['VERIFICATION_FAILED'],
      'error.type': 'VERIFICATION_FAILED',
    });
  });

  it('show each attempt of a repair, with its cause at the gate', async () => {
    let checks = 0;
    const scenario = followed({
      model: [plan([call('look')]), draft(), plan([call('look')]), draft()],
      tools: [readTool('look')],
      verifiers: { checker: (...asked) => ((checks += 1) === 1 ? fails : passes)(...asked) },
      taskClass: { beforeDeliver: { verifiers: ['checker'] }, limits: { repairs: 1 } },
    });
    await scenario.ended(await scenario.submit());
    expect(scenario.tree()).toMatchInlineSnapshot(`
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
    expect(
      scenario.named('execute_tool look').map((span) => span.attributes['agentcharter.attempt']),
    ).toEqual([0, 1]);
  });

  it('show the rollback of a write, and a failed rollback', async () => {
    const scenario = followed({
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
    await scenario.ended(await scenario.submit());
    expect(scenario.tree()).toMatchInlineSnapshot(`
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
        "    policy first: allow",
        "    execute_tool first: succeeded",
        "    gate write: open",
        "    policy second: allow",
        "    execute_tool second: succeeded",
        "    chat: answered",
        "  verify",
        "    verify checker: fail !",
        "    gate deliver: shut (VERIFICATION_FAILED) !",
        "    rollback second: failed !",
        "    rollback first: succeeded",
        "  fail_safe",
      ]
    `);
    const { status, events, attributes } = scenario.one('rollback second');
    expect(status.message).toBe('thrown');
    expect(attributes['error.type']).toBe('thrown');
    expect(events.map(({ name, attributes }) => [name, attributes])).toEqual([
      ['exception', { 'exception.type': 'thrown' }],
    ]);
  });

  it('attribute nothing to a gate when a limit was reached before it', async () => {
    const scenario = followed({
      model: [plan([call('look'), call('send')]), draft()],
      tools: [readTool('look'), writeTool('send')],
      taskClass: { atLimit: 'stop', limits: { calls: 1 } },
    });
    await scenario.ended(await scenario.submit());
    expect(scenario.tree()).toMatchInlineSnapshot(`
      [
        "task work: uncertain (BUDGET_SPENT) !",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    execute_tool look: succeeded",
        "    policy send: allow",
        "    gate write: open",
        "  fail_safe",
      ]
    `);
  });

  it('end when the orchestrator closes before the task settles', async () => {
    const scenario = followed({ model: [plan([], { confidence: 0.1 })] });
    await scenario.submit();
    expect(scenario.open()).toBe(2);
    await scenario.orchestrator.close();
    expect(scenario.open()).toBe(0);
    expect(scenario.tree()).toMatchInlineSnapshot(`
      [
        "task work: pending",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: asks (CONFIDENCE_LOW)",
      ]
    `);
    scenario.leave();
  });

  it('continue through change requests at a followup', async () => {
    const scenario = followed({
      model: ({ asks }: Pick<Turn, 'asks'>) => (asks === 'plan' ? plan() : draft()),
      taskClass: {
        followup: () => ({ explanation: 'Shall I?', payload: {}, byDefault: { by: 'price' } }),
      },
    });
    const taskId = await scenario.submit();
    await scenario.answer('instruction', 'in Lisbon only');
    await scenario.answer('approve');
    await scenario.ended(taskId);
    expect(scenario.tree()).toMatchInlineSnapshot(`
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
    expect(scenario.open()).toBe(0);
  });
});

describe('Telemetry', () => {
  it.each([
    [{ erorMessages: true }, 'Did you mean "errorMessages"?'],
    [{ tracer: {} }, 'tracer.startSpan'],
  ])('refuses the options %j', (options, words) => {
    expect(() => openTelemetry(options as OpenTelemetryOptions)).toThrow(words); // as plain JavaScript gives them
  });
});
