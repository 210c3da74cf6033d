import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  defineTaskClass,
  defineTaskTool,
  type OrchestratorOptions,
  type TaskClassDefinition,
  type TaskToolDefinition,
  type Turn,
} from '../../../../src/index.ts';
import { trusting } from './approvals.ts';
import { scene, type Given } from './scene.ts';
import { call, draft, identity, never, plan, readTool, writeTool } from './scripted.ts';

const Topic = z.object({ topic: z.string() });

const research = (given: Partial<TaskToolDefinition<{ topic: string }>> = {}) =>
  defineTaskTool({
    name: 'research',
    description: 'finds out',
    tier: 'read_only',
    input: Topic,
    taskClass: 'research',
    request: ({ topic }) => ({ payload: { topic }, explanation: `What is known of ${topic}?` }),
    ...given,
  });

type Says = (turn: Turn, signal: AbortSignal) => unknown;

interface Nested {
  readonly parent?: Says;
  readonly child?: Says;
  readonly tool?: Partial<TaskToolDefinition<{ topic: string }>>;
  readonly childClass?: Partial<TaskClassDefinition>;
  readonly parentClass?: Partial<TaskClassDefinition>;
  readonly given?: Given;
  readonly options?: Partial<OrchestratorOptions>;
}

const delegating: Says = ({ asks }) =>
  asks === 'plan' ? plan([call('research', { topic: 'tides' })]) : draft({ report: 'done' });
const answering: Says = ({ asks }) => (asks === 'plan' ? plan([call('look')]) : draft({ answer: 42 }));

const nested = ({ parent = delegating, child = answering, ...more }: Nested = {}) => {
  const tools = [readTool('look'), ...(more.given?.tools ?? [])];
  return scene({
    ...more.given,
    model: ((turn: Turn, signal: AbortSignal) =>
      turn.taskClass === 'work' ? parent(turn, signal) : child(turn, signal)) as never,
    tools: [...tools, research(more.tool)],
    options: {
      taskClasses: [
        defineTaskClass({
          id: 'work',
          tools: ['research', ...tools.map(({ name }) => name)],
          limits: { repairs: 0 },
          ...more.parentClass,
        }),
        defineTaskClass({
          id: 'research',
          tools: tools.map(({ name }) => name),
          limits: { repairs: 0 },
          ...more.childClass,
        }),
      ],
      ...more.options,
    },
  });
};

const childOf = async (scenario: ReturnType<typeof nested>) =>
  (await scenario.orchestrator.list()).find(({ taskClass }) => taskClass === 'research');

describe('a tool that runs a child task [UAICP 4.3]', () => {
  it.each([5, null, { of: ['tides'] }])(
    'fails when it explains its request with %j, and begins no child',
    async (explanation) => {
      const request = () => ({ payload: {}, explanation: explanation as never });
      const scenario = nested({ tool: { request } });
      const taskId = await scenario.submit();
      expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'failure' });
      expect(await childOf(scenario)).toBeUndefined();
    },
  );

  it('delivers its result to the parent call as evidence of the parent', async () => {
    const scenario = nested({
      parentClass: { beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'research' }] } },
    });
    const taskId = await scenario.submit();
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
    const documents = await scenario.orchestrator.documents(taskId);
    const evidence = documents.find(({ name }) => name === 'EvidenceObject')?.document;
    expect(evidence).toMatchObject({
      source: 'research',
      payload: { taskId: (await childOf(scenario))?.taskId, payload: { answer: 42 } },
    });
  });

  it('has its own trace and names the parent’s trace in every envelope and all evidence', async () => {
    const scenario = nested();
    const taskId = await scenario.submit();
    await scenario.ended(taskId);
    const traceId = (await scenario.orchestrator.ledger(taskId))[0]?.trace_id;
    const childId = (await childOf(scenario))?.taskId ?? '';
    const documents = (await scenario.orchestrator.documents(childId)).flatMap(({ name, document }) =>
      name === 'MessageEnvelope' || name === 'EvidenceObject' ? [document] : [],
    );
    expect(documents.length).toBeGreaterThan(5);
    for (const document of documents) {
      expect(document.parent_trace_id).toBe(traceId);
      expect(document.trace_id).not.toBe(traceId);
    }
  });

  it('keeps its parent waiting and puts its question in the inbox under its own path', async () => {
    const scenario = nested({
      child: ({ asks }) => (asks === 'plan' ? plan([], { confidence: 0.1 }) : draft()),
    });
    const taskId = await scenario.submit();
    const childId = (await childOf(scenario))?.taskId ?? '';
    expect(scenario.stateOf(taskId)).toBe('waiting');
    expect((await scenario.orchestrator.inbox()).map(({ path }) => path)).toEqual([[taskId, childId]]);
    expect(await scenario.orchestrator.inbox(taskId)).toHaveLength(1);
    expect(await scenario.orchestrator.inbox('another task')).toEqual([]);
    await scenario.answer('approve');
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('fails its parent’s call with the child’s reasons when it fails safe', async () => {
    const scenario = nested({
      childClass: { beforeDeliver: { evidence: [{ type: 'test_report' }] } },
    });
    const settled = await scenario.ended(await scenario.submit());
    expect(settled).toMatchObject({ state: 'failed', outcome: 'uncertain' });
    expect(settled.reasons.map(({ code }) => code)).toEqual(['CHILD_FAILED', 'EVIDENCE_MISSING']);
    expect(settled.message.explanation).toContain('requires evidence of type test_report before delivery');
    expect(settled.message.payload).toMatchObject({ missingEvidence: ['test_report'] });
  });

  it('rejects anyone else who resolves the dependency on it', async () => {
    const scenario = nested({ child: (_, signal) => never(signal) });
    const taskId = await scenario.submit();
    const dependency = (await childOf(scenario))?.taskId ?? '';
    const forged = { taskId: dependency, traceId: 'x', payload: { answer: 'forged' } };
    const mallory = { by: 'mallory' };
    const { orchestrator } = scenario;
    for (const attempt of [
      orchestrator.resolve(taskId, dependency, forged, mallory),
      orchestrator.tell(taskId, { type: 'dependency.met', dependency }, mallory),
    ]) {
      await expect(attempt).rejects.toMatchObject({ code: 'fact_not_yours' });
    }
    expect(scenario.stateOf(taskId)).toBe('waiting');
    expect(await scenario.facts(taskId)).not.toContain('dependency.met');
  });

  it('is begun by the parent’s agent, even when a person submitted the parent', async () => {
    const scenario = nested();
    const { orchestrator } = scenario;
    const { taskId } = await orchestrator.submit({
      taskClass: 'work',
      payload: {},
      identity: { ...identity, user_id: 'ursula' },
    });
    await scenario.ended(taskId);
    const [first] = await orchestrator.ledger(taskId);
    const [opening] = await orchestrator.ledger((await childOf(scenario))?.taskId ?? '');
    expect([first?.actor, opening?.actor]).toEqual([
      { kind: 'human', id: 'ursula' },
      { kind: 'agent', id: 'recommender' },
    ]);
  });

  it('is cancelled with its parent', async () => {
    const scenario = nested({ child: (_, signal) => never(signal) });
    const taskId = await scenario.submit();
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    expect(await scenario.ended(taskId)).toMatchObject({ state: 'cancelled' });
    expect(await childOf(scenario)).toMatchObject({ state: 'cancelled', isSettled: true });
  });

  it('is cancelled as urgently as its parent: its tool is aborted', async () => {
    const scenario = nested({
      child: ({ asks }) => (asks === 'plan' ? plan([call('hang')]) : draft()),
      given: { tools: [writeTool('hang', { call: (_, { signal }) => never(signal) })] },
      tool: { tier: 'write_low_risk' },
    });
    const taskId = await scenario.submit();
    await scenario.orchestrator.cancel(taskId, { by: 'dana', urgent: true });
    expect(await scenario.ended(taskId)).toMatchObject({ state: 'cancelled' });
    await expect.poll(() => childOf(scenario)).toMatchObject({ state: 'cancelled', isSettled: true });
  });

  it('is cancelled when its parent stops waiting for it', async () => {
    const scenario = nested({
      child: (_, signal) => never(signal),
      parentClass: { deadlines: { dependency: 5_000 } },
      childClass: { deadlines: { model: 60_000 } },
    });
    const taskId = await scenario.submit();
    await scenario.clock.advance(5_000);
    const settled = await scenario.ended(taskId);
    expect(settled.reasons.map(({ code }) => code)).toEqual(['TOOL_TIMEOUT']);
    expect(await childOf(scenario)).toMatchObject({ state: 'cancelled' });
  });
});

const writes: Says = ({ asks }) => (asks === 'plan' ? plan([call('write')]) : draft({ answer: 42 }));

describe('a child task that writes', () => {
  const high = writeTool('write', { tier: 'write_high_risk' });
  const rollback = {
    describe: () => ({ type: 'withdraw', target: 'answer', payload: {} }),
    run: async () => null,
  };

  it('raises the tier of the parent’s call to that of the child’s tools [UAICP 5.3]', async () => {
    const scenario = nested({
      child: writes,
      given: { tools: [high] },
      tool: { rollback },
      options: { approvals: trusting },
    });
    await scenario.submit();
    expect(await childOf(scenario)).toBeUndefined();
    expect((await scenario.question()).question).toMatchObject({
      kind: 'approval',
      approval: { tool: 'research' },
    });
    expect(scenario.turns[0]?.tools.find(({ name }) => name === 'research')?.tier).toBe('write_high_risk');
    await scenario.answer('approve', undefined, { approval: 'kim' });
    expect((await scenario.question()).question).toMatchObject({
      kind: 'approval',
      approval: { tool: 'write' },
    });
    expect(scenario.invocations).toEqual([]);
    await scenario.answer('approve', undefined, { approval: 'kim' });
    expect(scenario.invocations).toHaveLength(1);
  });

  it('names the parent’s trace in the approvals of its writes', async () => {
    const scenario = nested({
      child: writes,
      given: { tools: [high] },
      tool: { rollback },
      options: { approvals: trusting },
    });
    const taskId = await scenario.submit();
    await scenario.answer('approve', undefined, { approval: 'kim' });
    await scenario.answer('approve', undefined, { approval: 'kim' });
    const traceId = (await scenario.orchestrator.ledger(taskId))[0]?.trace_id;
    const documents = await scenario.orchestrator.documents((await childOf(scenario))?.taskId ?? '');
    const evidence = documents.flatMap(({ name, document }) => (name === 'EvidenceObject' ? [document] : []));
    expect(evidence.map(({ evidence_type, parent_trace_id }) => [evidence_type, parent_trace_id])).toEqual([
      ['approval_token', traceId],
      ['tool_result', traceId],
    ]);
  });

  it('is rolled back by the parent’s call when it delivers while the parent is cancelled', async () => {
    const undone: string[] = [];
    const scenario = nested({
      child: writes,
      given: { tools: [writeTool('write')] },
      tool: {
        tier: 'write_low_risk',
        rollback: { describe: rollback.describe, run: async () => undone.push('research') },
      },
      childClass: { followup: () => ({ explanation: 'More?', payload: {}, byDefault: {} }) },
    });
    const taskId = await scenario.submit();
    expect((await childOf(scenario))?.state).toBe('followup');
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    expect(await scenario.ended(taskId)).toMatchObject({ state: 'cancelled', outcome: 'failure' });
    expect(undone).toEqual(['research']);
  });

  it('rolls back its own writes when its parent is cancelled, before the parent fails safe', async () => {
    const scenario = nested({
      child: ({ asks }, signal) => (asks === 'plan' ? plan([call('write')]) : never(signal)),
      given: { tools: [writeTool('write')] },
      tool: { tier: 'write_low_risk' },
    });
    const taskId = await scenario.submit();
    expect(scenario.invocations.map(({ tool }) => tool)).toEqual(['write']);
    await scenario.orchestrator.cancel(taskId, { by: 'dana' });
    expect(await scenario.ended(taskId)).toMatchObject({ state: 'cancelled', outcome: 'failure' });
    expect(scenario.undone).toEqual(['write']);
  });

  it('leaves the parent’s call in doubt and says why when its rollback fails', async () => {
    const scenario = nested({
      child: ({ asks }) => (asks === 'plan' ? plan([call('write')]) : draft()),
      given: {
        tools: [
          writeTool('write', {
            rollback: { describe: rollback.describe, run: () => Promise.reject(new Error('gone')) },
          }),
        ],
      },
      tool: { tier: 'write_low_risk' },
      childClass: { beforeDeliver: { evidence: [{ type: 'test_report' }] } },
    });
    await scenario.submit();
    expect((await scenario.question()).question.kind).toBe('doubt');
  });
});

const recursive: Says = ({ asks }) =>
  asks === 'plan' ? plan([call('research', { topic: 'more' })]) : draft();

describe('nesting', () => {
  it('is limited in depth', async () => {
    const scenario = nested({
      child: recursive,
      options: {
        limits: { depth: 2 },
        taskClasses: ['work', 'research'].map((id) =>
          defineTaskClass({ id, tools: ['research'], limits: { repairs: 0 } }),
        ),
      },
    });
    const settled = await scenario.ended(await scenario.submit());
    expect(settled.reasons.map(({ code }) => code)).toEqual(['CHILD_FAILED', 'BUDGET_SPENT']);
    expect(await scenario.orchestrator.list()).toHaveLength(3);
  });

  it('is limited in breadth', async () => {
    const scenario = nested({
      parent: ({ asks }) =>
        asks === 'plan' ? plan(['a', 'b', 'c'].map((topic) => call('research', { topic }))) : draft(),
      options: { limits: { children: 2 } },
    });
    const settled = await scenario.ended(await scenario.submit());
    expect(settled.reasons.map(({ code }) => code)).toEqual(['BUDGET_SPENT']);
    expect(await scenario.orchestrator.list()).toHaveLength(3);
  });
});

it('an orchestrator rejects an unknown task class of a child at construction', () => {
  expect(() => nested({ tool: { taskClass: 'unheard-of' } })).toThrow(/unknown task class "unheard-of"/);
});
