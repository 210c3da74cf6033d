import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { served } from '../apps/console/served.ts';
import { openBank } from './bank.ts';

it('A guarded run appears in the console as any other task, and answers given there reach it', async () => {
  const bank = openBank();
  await using _ = bank.guard;
  const run = await bank.begin();
  const call = () => run.call('pay', { to: 'alice' }, { ref: 'c1' });
  expect(await call()).toMatchObject({ status: 'paused' });
  const { get, post } = await served(bank.guard.orchestrator, { identity: () => 'kim' });
  expect(JSON.stringify(await get('api/tasks'))).toContain(run.taskId);
  const [asked] = await run.questions();
  const feedback = { type: 'approve', target: asked?.message.messageId };
  expect((await post('api/respond', { feedback, key: randomUUID() })).status).toBe(200);
  expect(await call()).toMatchObject({ status: 'done' });
  expect(bank.done).toEqual(['pay alice']);
});
