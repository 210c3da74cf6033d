import { expect, it, onTestFinished } from 'vitest';
import { createOrchestrator, defineTaskClass } from '../../../../src/index.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import { eventually } from '../../../waits.ts';
import { draft, identity, plan, scriptedModel } from './scripted.ts';

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
