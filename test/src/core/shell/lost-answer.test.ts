import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { createOrchestrator, defineTaskClass, defineTaskTool, type Store } from '../../../../src/index.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import { eventually } from '../../../waits.ts';
import { call, draft, identity, plan, scriptedModel } from './scripted.ts';

/** An owner whose store writes the next keyed step, and throws all the same. */
const opened = (confidence: number) => {
  const inner = memoryStore();
  let isLost = false;
  const { model } = scriptedModel([plan([], { confidence }), draft()]);
  const orchestrator = createOrchestrator({
    taskClasses: [defineTaskClass({ id: 'work', tools: [] })],
    model,
    store: {
      ...inner,
      commit: async (step) => {
        const answer = await inner.commit(step);
        if (!isLost || step.key === null) return answer;
        isLost = false;
        throw new Error('the answer was lost');
      },
    },
  });
  onTestFinished(() => orchestrator.close());
  const submit = () => orchestrator.submit({ taskClass: 'work', payload: {}, identity }, { key: 'order-7' });
  return { orchestrator, submit, lose: () => void (isLost = true) };
};

it('goes on with a task whose keyed request was recorded although its store threw', async () => {
  const { orchestrator, submit, lose } = opened(0.9);
  lose();
  const { taskId } = await submit();
  expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
});

it('goes on after a keyed answer that was recorded although its store threw', async () => {
  const { orchestrator, submit, lose } = opened(0.1);
  const { taskId } = await submit();
  await eventually(async () => expect(await orchestrator.inbox()).toHaveLength(1));
  const [question] = await orchestrator.inbox();
  lose();
  await orchestrator.respond(
    { type: 'approve', target: question!.message.messageId },
    { by: 'dana', key: 'answer-7' },
  );
  expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
});

it.each([
  ['comes later', true],
  ['never comes', false],
])('begins a child whose first step was not answered and %s', async (_, isWritten) => {
  const inner = memoryStore();
  let late: (() => ReturnType<Store['commit']>) | null = null;
  const answers: unknown[] = [];
  const orchestrator = createOrchestrator({
    taskClasses: [
      defineTaskClass({ id: 'work', tools: ['research'] }),
      defineTaskClass({ id: 'research', tools: [] }),
    ],
    tools: [
      defineTaskTool({
        name: 'research',
        description: 'finds out',
        tier: 'read_only',
        input: z.object({}),
        taskClass: 'research',
        request: () => ({ payload: {} }),
      }),
    ],
    model: {
      answer: async ({ asks, taskClass }) => {
        if (asks !== 'plan') return draft();
        return plan(taskClass === 'work' ? [call('research')] : []);
      },
    },
    store: {
      ...inner,
      commit: async (step) => {
        const isFirst = step.indexEntry.parent !== null && step.record.seq === 0;
        if (isFirst && late === null) {
          late = () => inner.commit(step);
          throw new Error('Silence');
        }
        // what was sent first arrives first, after it was looked for
        if (isFirst && isWritten) answers.push(await late?.());
        return inner.commit(step);
      },
    },
  });
  onTestFinished(() => orchestrator.close());
  const { taskId } = await orchestrator.submit({ taskClass: 'work', payload: {}, identity });
  await eventually(async () => {
    const tasks = await orchestrator.list();
    expect(tasks).toHaveLength(2);
  });
  await orchestrator.recover();
  expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
  expect(answers).toEqual(isWritten ? ['ok'] : []);
});
