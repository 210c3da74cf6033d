import { randomUUID } from 'node:crypto';
import { TaskState, type StreamResponse } from '@a2a-js/sdk';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { dataPart, textPart, upFormatUri } from '../../../../src/adapters/a2a/index.ts';
import { contentOf } from '../../../../src/adapters/a2a/parts.ts';
import { call, draft, never, plan, readTool, writeTool } from '../../core/shell/scripted.ts';
import { askedBy, feedback, ours, stage, stateOf, messagesOf } from './stage.ts';

const read = { options: { tools: [readTool('look')] }, model: [plan([call('look')]), draft({ found: 3 })] };
const unsure = plan([], { confidence: 0.1 });

const stateIn = ({ payload }: StreamResponse): string | undefined =>
  payload?.$case === 'task' || payload?.$case === 'statusUpdate'
    ? TaskState[payload.value.status?.state ?? TaskState.UNRECOGNIZED]
    : payload?.$case;

const saidIn = ({ payload }: StreamResponse): readonly unknown[] =>
  payload?.$case === 'statusUpdate'
    ? contentOf(payload.value.status?.message?.parts ?? []).marked('UpFormatMessage')
    : [];

describe('An A2A task [UpFormat 4, A2A 4.1.3]', () => {
  it('delivers the answer as an artifact and as an UpFormat message', async () => {
    const { send, turns } = await stage(read);
    const task = await send({ parts: [textPart('Find it.'), dataPart({ room: 7 })] });
    expect(stateOf(task)).toBe('TASK_STATE_COMPLETED');
    const [artifact] = task.artifacts;
    expect(artifact?.parts[0]?.content).toEqual({ $case: 'data', value: { found: 3 } });
    expect(messagesOf(task)).toMatchObject([{ state: 'completed', payload: { found: 3 } }]);
    expect(turns[0]?.request).toEqual({ room: 7 });
  });

  it('publishes the task first, each step in order, and the end last', async () => {
    const { stream } = await stage(read);
    const states = [];
    for await (const event of stream()) states.push(stateIn(event));
    expect(states).toEqual([
      'TASK_STATE_SUBMITTED',
      'TASK_STATE_SUBMITTED',
      'artifactUpdate',
      'TASK_STATE_COMPLETED',
    ]);
  });

  it('carries whole messages: the plan that goes on as progress, then the delivery', async () => {
    const thoughts = { reasoning: ['It is near.'], questions: ['Is it?'], alternatives: [plan()] };
    const { stream } = await stage({
      taskClass: { output: z.object({ found: z.number().describe('how many') }) },
      model: [plan([], thoughts), draft({ found: 3 }, thoughts)],
    });
    const events: StreamResponse[] = [];
    for await (const event of stream()) events.push(event);
    const upThought = { ...thoughts, canProceed: true, confidence: 0.9 };
    const [, , planned] = events;
    expect(stateIn(planned!)).toBe('TASK_STATE_WORKING');
    expect(saidIn(planned!)).toMatchObject([{ state: 'submitted', upThought }]);
    expect(saidIn(events.at(-1)!)).toMatchObject([
      { state: 'completed', upThought, upContext: { fields: { found: 'how many' } } },
    ]);
  });

  it('reports working while it waits for a dependency, and resumes when the dependency is met', async () => {
    const tool = readTool('mail', {
      call: (_, { met, notYet }) => met ?? notYet({ dependency: 'letter', explanation: 'By mail.' }),
    });
    const { orchestrator, stream } = await stage({
      options: { tools: [tool] },
      model: [plan([call('mail')]), draft()],
    });
    const states = [];
    for await (const event of stream()) {
      states.push(stateIn(event));
      const [task] = await orchestrator.list();
      if (task?.state === 'waiting' && states.length === 3)
        await orchestrator.resolve(task.taskId, 'letter', { cents: 1 }, { by: 'post' });
    }
    expect(states.slice(0, 3)).toEqual([
      'TASK_STATE_SUBMITTED',
      'TASK_STATE_SUBMITTED',
      'TASK_STATE_WORKING',
    ]);
    expect(states.at(-1)).toBe('TASK_STATE_COMPLETED');
  });

  it('reports why it failed, with reason codes', async () => {
    const tool = readTool('look', {
      call: () => {
        throw new Error('gone');
      },
    });
    const evidence = { beforeDeliver: { evidence: [{ type: 'tool_result' as const, tool: 'look' }] } };
    const { send } = await stage({
      options: { tools: [tool] },
      taskClass: { ...evidence, limits: { repairs: 0 } },
      model: [plan([call('look')]), draft()],
    });
    const task = await send();
    expect(stateOf(task)).toBe('TASK_STATE_FAILED');
    expect(ours(task)).toMatchObject({ reasonCodes: expect.arrayContaining([expect.any(String)]) });
    expect(messagesOf(task)[0]?.payload['reasonCodes']).toEqual(
      (ours(task) as { reasonCodes: unknown }).reasonCodes,
    );
  });

  it('is rejected when its task class refuses it at intake', async () => {
    const { send } = await stage({
      taskClass: { accept: () => ({ refused: 'IDENTITY_INVALID', explanation: 'Not for you.' }) },
    });
    const task = await send();
    expect(stateOf(task)).toBe('TASK_STATE_REJECTED');
    expect(ours(task)).toMatchObject({ reasonCodes: ['IDENTITY_INVALID'] });
  });

  it('cancels the run in the sender’s name', async () => {
    const { send, cancel, orchestrator } = await stage({ model: [unsure] });
    const asking = await send();
    const task = await cancel(asking.id);
    expect(stateOf(task)).toBe('TASK_STATE_CANCELED');
    const [summary] = await orchestrator.list();
    expect(summary?.state).toMatch(/^cancelled/);
    const records = await orchestrator.ledger(summary?.taskId ?? '');
    expect(records.find(({ fact }) => fact?.type === 'task.cancelled')?.actor).toEqual({
      kind: 'human',
      id: 'ada',
    });
    await expect(cancel(asking.id)).resolves.toMatchObject({ id: asking.id });
  });

  it('stops working when it is cancelled', async () => {
    const { send, cancel, orchestrator } = await stage({
      model: (_: unknown, signal: AbortSignal) => never(signal),
    });
    const working = await send({ isPolling: true });
    expect(stateOf(working)).toBe('TASK_STATE_SUBMITTED');
    expect(stateOf(await cancel(working.id))).toBe('TASK_STATE_CANCELED');
    expect((await orchestrator.list())[0]?.state).toMatch(/^cancelled/);
  });

  it('refuses a cancellation after delivery', async () => {
    const { send, cancel } = await stage(read);
    await expect(cancel((await send()).id)).rejects.toThrow(/not cancelable/i);
  });
});

const writes = (effects: unknown[]) => ({
  options: { tools: [writeTool('write', { call: (input) => effects.push(input) })] },
  model: [plan([call('write')]), draft()],
});

describe('An A2A message', () => {
  it('counts once when it is sent twice', async () => {
    const effects: unknown[] = [];
    const { send, orchestrator } = await stage(writes(effects));
    const messageId = randomUUID();
    const warned = vi.spyOn(console, 'warn');
    const [first, again] = [await send({ messageId }), await send({ messageId })];
    expect(warned).not.toHaveBeenCalled(); // nothing was told after its end
    expect(again.history).toHaveLength(first.history.length);
    expect([first, again].map(stateOf)).toEqual(['TASK_STATE_COMPLETED', 'TASK_STATE_COMPLETED']);
    expect(effects).toHaveLength(1);
    expect(await orchestrator.list()).toHaveLength(1);
    expect(again.artifacts).toEqual(first.artifacts);
  });

  it('differs from a message of the same id by another user', async () => {
    const { send, orchestrator } = await stage(read);
    const messageId = randomUUID();
    await send({ messageId });
    await send({ messageId, user: 'eve' });
    expect(await orchestrator.list()).toHaveLength(2);
  });

  it('is rejected when it reuses an id with other content', async () => {
    const { send, orchestrator } = await stage(read);
    const messageId = randomUUID();
    await send({ messageId });
    const task = await send({ messageId, parts: [textPart('Something else.')] });
    expect(stateOf(task)).toBe('TASK_STATE_REJECTED');
    expect(ours(task)).toMatchObject({ refused: { code: 'key_reused' } });
    expect(await orchestrator.list()).toHaveLength(1);
  });

  it('begins a task in the thread of its context, linked to its trace, for its user', async () => {
    const { send, orchestrator } = await stage(read);
    const contextId = randomUUID();
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const begun = await send({ contextId, traceparent });
    const named = await send({ contextId: 'no uuid', traceparent: 'nonsense' });
    expect(named.contextId).toBe('no uuid');
    await send({ contextId: 'no uuid' });
    const [first, second, third] = await orchestrator.list();
    expect(ours(begun)).toMatchObject({ taskId: first?.taskId, threadId: first?.threadId });
    expect(second?.threadId).not.toBe(first?.threadId);
    expect(third?.threadId).toBe(second?.threadId);
    const [record] = await orchestrator.ledger(first?.taskId ?? '');
    expect(record).toMatchObject({
      trace_id: expect.not.stringMatching('a'.repeat(32)),
      actor: { kind: 'human', id: 'ada' },
      brought: { request: { linkedTraces: [{ traceparent }] } },
    });
  });

  it('begins the task that its UpFormat message asks for', async () => {
    const { send, turns } = await stage(read);
    const message = {
      messageId: randomUUID(),
      threadId: randomUUID(),
      timestamp: '2026-01-01T00:00:00Z',
      state: 'submitted',
      payload: { room: 7 },
      explanation: 'Find it.',
    };
    const sent = (more: object) => send({ parts: [dataPart({ ...message, ...more }, 'UpFormatMessage')] });
    expect(stateOf(await sent({}))).toBe('TASK_STATE_COMPLETED');
    expect(turns[0]?.request).toEqual({ room: 7 });
    expect(stateOf(await sent({ state: 'completed' }))).toBe('TASK_STATE_REJECTED');
  });

  it.each([
    ['no parts', []],
    ['two data parts', [dataPart({}), dataPart({})]],
    ['a list as its payload', [dataPart([1])]],
    ['feedback without a target', feedback({ type: 'approve', target: randomUUID() })],
    ['an invalid message', [dataPart({ state: 'submitted' }, 'UpFormatMessage')]],
    ['a payload that is too deep', [dataPart(JSON.parse(`${'{"a":'.repeat(80)}1${'}'.repeat(80)}`))]],
    ['a payload that reaches for a prototype', [dataPart(JSON.parse('{"a":{"__proto__":{"b":1}}}'))]],
    ['a file', [{ ...textPart(''), content: { $case: 'url' as const, value: 'http://127.0.0.1/x' } }]],
  ])('with %s is rejected and begins no task', async (_, parts) => {
    const { send, orchestrator, turns } = await stage(read);
    const task = await send({ parts });
    expect(stateOf(task)).toBe('TASK_STATE_REJECTED');
    expect(ours(task)).toMatchObject({ refused: { reason: expect.any(String) } });
    expect(await orchestrator.list()).toEqual([]);
    expect(turns).toEqual([]);
  });

  it('over the size limit is rejected before it is parsed', async () => {
    const { send, orchestrator } = await stage(read);
    await expect(send({ parts: [textPart('x'.repeat(2_000_000))] })).rejects.toThrow();
    expect(await orchestrator.list()).toEqual([]);
  });
});

describe('An A2A followup [UpFormat Table 2]', () => {
  const offering = {
    taskClass: {
      followup: () => ({
        explanation: 'Another one?',
        payload: { choices: ['a', 'b'] },
        byDefault: { choice: 'a' },
      }),
    },
    model: [plan(), draft({ found: 3 }), plan(), draft({ found: 4 })],
  };

  it('completes the task and shows what it offers', async () => {
    const { send } = await stage(offering);
    const task = await send();
    expect(stateOf(task)).toBe('TASK_STATE_COMPLETED');
    expect(task.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'data', value: { found: 3 } });
    const offer = messagesOf(task).at(-1);
    expect(offer).toMatchObject({ state: 'followup', payload: { choices: ['a', 'b'] } });
    expect(ours(task)).toMatchObject({ followup: offer?.messageId });
    await expect(send({ task })).rejects.toThrow(/terminal/);
  });

  it('begins a new task that refers to the finished one', async () => {
    const { send, get, orchestrator } = await stage(offering);
    const task = await send();
    const target = messagesOf(task).at(-1)?.messageId ?? '';
    const parts = feedback({ type: 'instruction', target, content: 'Once more.' });
    const refined = await send({ parts, references: [task.id], contextId: task.contextId });
    expect(refined.id).not.toBe(task.id);
    expect(refined.artifacts[0]?.parts[0]?.content).toEqual({ $case: 'data', value: { found: 4 } });
    expect(await orchestrator.list()).toHaveLength(1);
    expect(stateOf(await get(task.id))).toBe('TASK_STATE_COMPLETED');
  });

  it('continues in the same thread when a new request refers to a task with an open followup', async () => {
    const { send, orchestrator } = await stage(offering);
    const task = await send();
    await send({ references: [task.id] });
    const [first, second] = await orchestrator.list();
    expect(second?.threadId).toBe(first?.threadId);
    const messages = await orchestrator.thread(first?.threadId ?? '');
    const begun = messages.filter(
      ({ state, upFeedback }) => state === 'submitted' && upFeedback === undefined,
    );
    expect(begun.at(-1)?.parentMessageId).toBe(messagesOf(task).at(-1)?.messageId);
  });
});

it('declares in the task’s metadata what a question asks, as the card says', async () => {
  const { client, send } = await stage({ model: [unsure] });
  const { capabilities } = await client.getAgentCard();
  expect(capabilities?.extensions.map(({ uri }) => uri)).toEqual([upFormatUri]);
  const task = await send();
  expect(task.status?.message?.extensions).toEqual([upFormatUri]);
  expect(askedBy(task).state).toBe('needsHumanDecision');
});
