import { defineTaskClass, defineTool, type Model } from 'agentcharter';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createOrchestrator } from '../../../../src/core/orchestrator.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';

const identity = { agent_id: 'a', owner_id: 'o', control_class: 'human-supervised' } as const;
const thought = { canProceed: true, confidence: 1, explanation: 'As asked.' };
const model: Model = {
  answer: async ({ asks }) =>
    asks === 'plan'
      ? { ...thought, calls: [{ tool: 'pay', arguments: {} }] }
      : { ...thought, payload: { paid: true } },
};

/** An orchestrator whose tool has a given version. */
const lifeOf = (version: string, database: ReturnType<typeof memoryDatabase>) => {
  const made: string[] = [];
  const pay = defineTool({
    name: 'pay',
    version,
    description: 'Pays.',
    input: z.object({}),
    doubt: 'idempotent',
    call: async () => {
      made.push(version);
      return version === 'hangs' ? new Promise(() => {}) : { by: version };
    },
    rollback: { describe: () => ({ type: 'recall', target: 'till', payload: {} }), run: async () => ({}) },
  });
  const orchestrator = createOrchestrator({
    taskClasses: [defineTaskClass({ id: 'job', tools: ['pay'], authorities: ['human'] })],
    tools: [pay],
    policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
    model,
    store: database.connect(),
  });
  return { orchestrator, made };
};

const approveNext = async ({ orchestrator }: ReturnType<typeof lifeOf>): Promise<void> => {
  await expect.poll(() => orchestrator.inbox()).toHaveLength(1);
  const [asked] = await orchestrator.inbox();
  await orchestrator.respond({ type: 'approve', target: asked?.message.messageId ?? '' }, { by: 'kim' });
};

describe('A tool with another version after a restart', () => {
  it('is planned and approved again before it is called', async () => {
    const database = memoryDatabase();
    const first = lifeOf('1', database);
    const { taskId } = await first.orchestrator.submit({ taskClass: 'job', payload: {}, identity });
    await expect.poll(() => first.orchestrator.inbox()).toHaveLength(1);
    await first.orchestrator.close();
    const second = lifeOf('2', database);
    await using orchestrator = second.orchestrator;
    await orchestrator.recover();
    await approveNext(second); // approved for version 1
    await expect.poll(async () => (await orchestrator.task(taskId)).attempt).toBe(1);
    expect(second.made).toEqual([]);
    await approveNext(second); // approved for version 2
    expect((await orchestrator.settled(taskId)).outcome).toBe('success');
    expect(second.made).toEqual(['2']);
  });

  it('does not repeat a call that the earlier version began, even if idempotent', async () => {
    const database = memoryDatabase();
    const first = lifeOf('hangs', database);
    const { taskId } = await first.orchestrator.submit({ taskClass: 'job', payload: {}, identity });
    await approveNext(first);
    await expect.poll(() => first.made).toEqual(['hangs']);
    await first.orchestrator.close();
    const second = lifeOf('2', database);
    await using orchestrator = second.orchestrator;
    await orchestrator.recover();
    await expect.poll(() => orchestrator.inbox(taskId)).toMatchObject([{ question: { kind: 'doubt' } }]);
    expect(second.made).toEqual([]);
  });
});
