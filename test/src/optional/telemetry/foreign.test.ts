import { defineTaskClass } from 'agentcharter';
import { expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../../src/core/orchestrator.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import { noting } from '../../core/shell/noting.ts';
import { call, draft, identity, plan, scriptedModel, writeTool } from '../../core/shell/scripted.ts';

it('hears of the question alone that another process answered', async () => {
  const database = memoryDatabase();
  const moments: string[] = [];
  const made = {
    taskClasses: [defineTaskClass({ id: 'work', tools: ['pay', 'post'] })],
    tools: [writeTool('pay'), writeTool('post')],
    policy: { decide: () => ({ verdict: 'needs_review', reasons: [] }) as const },
  };
  const { model } = scriptedModel([plan([call('pay'), call('post')]), draft()]);
  const telemetry = noting(moments);
  const owner = createOrchestrator({ ...made, model, telemetry, store: database.connect() });
  const guest = createOrchestrator({ ...made, role: 'guest', store: database.connect() });
  onTestFinished(async () => {
    await guest.close();
    await owner.close();
  });
  const { taskId } = await owner.submit({ taskClass: 'work', payload: {}, identity });
  await expect.poll(() => owner.inbox()).toHaveLength(2);
  const answer = async (): Promise<void> => {
    const [first] = await guest.inbox();
    await guest.respond({ type: 'approve', target: first!.message.messageId }, { by: 'dana' });
  };
  await answer();
  await expect.poll(() => moments).toContain('approval approve');
  await answer();
  expect(await owner.settled(taskId)).toMatchObject({ outcome: 'success' });
  const one = ['approval asked', 'approval approve'];
  expect(moments.toSorted()).toEqual([...one, ...one].toSorted());
});
