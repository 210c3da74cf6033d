import { defineTaskClass, defineTool, type Model } from 'agentcharter';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createOrchestrator } from '../../../../src/core/orchestrator.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';

const thought = { canProceed: true, confidence: 1, explanation: 'As asked.' };
const model: Model = {
  answer: async ({ asks, evidence }) =>
    asks === 'plan'
      ? { ...thought, calls: [{ tool: 'ask', arguments: {} }] }
      : { ...thought, payload: { heard: evidence[0]?.payload } },
};
const ask = defineTool({
  name: 'ask',
  description: 'Asks a person.',
  tier: 'read_only',
  input: z.object({}),
  call: async (_, { answer, asked, needsHuman }) =>
    answer === null
      ? needsHuman({ explanation: 'Which one?', payload: { among: ['red', 'blue'] } })
      : { asked, said: answer.content },
});
const open = (store: ReturnType<ReturnType<typeof memoryDatabase>['connect']>) =>
  createOrchestrator({
    taskClasses: [defineTaskClass({ id: 'job', tools: ['ask'] })],
    tools: [ask],
    model,
    store,
  });

it('A tool that asked a question receives its question with the answer, also after a restart', async () => {
  const database = memoryDatabase();
  const first = open(database.connect());
  const identity = { agent_id: 'a', owner_id: 'o', control_class: 'human-supervised' } as const;
  const { taskId } = await first.submit({ taskClass: 'job', payload: {}, identity });
  await expect.poll(() => first.inbox()).toHaveLength(1);
  await first.close();
  await using second = open(database.connect());
  await second.recover();
  const [asked] = await second.inbox();
  const target = asked?.message.messageId ?? '';
  await second.respond({ type: 'instruction', target, content: 'blue' }, { by: 'kim' });
  expect((await second.settled(taskId)).message.payload).toMatchObject({
    heard: { asked: { among: ['red', 'blue'] }, said: 'blue' },
  });
});
