import { defineTaskClass } from 'agentcharter';
import { createGuard } from 'agentcharter/guard';
import { expect, it } from 'vitest';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';

const identity = { agent_id: 'teller', owner_id: 'acme', control_class: 'human-supervised' } as const;

it('isProposed recognizes a proposed conclusion before and after a restart, and no other', async () => {
  const database = memoryDatabase();
  const open = () =>
    createGuard({
      tools: [],
      taskClasses: [defineTaskClass({ id: 'job', tools: [] })],
      store: database.connect(),
    });
  const draft = { payload: { said: 'done' }, confidence: 0.1 };
  const first = open();
  const run = await first.begin({ taskClass: 'job', payload: {}, identity });
  expect(await run.isProposed(draft)).toBe(false);
  expect(await run.conclude(draft)).toMatchObject({ status: 'paused' });
  expect(await run.isProposed(draft)).toBe(true);
  await first.close();
  await using later = open();
  const resumed = await later.resume(run.taskId);
  expect(await resumed.isProposed(draft)).toBe(true);
  for (const other of [{ ...draft, payload: { said: 'more' } }, { payload: draft.payload }])
    expect(await resumed.isProposed(other)).toBe(false);
});
