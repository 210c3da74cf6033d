import { expect, it } from 'vitest';
import { granted } from '../shell/approvals.ts';
import { scene } from '../shell/scene.ts';
import { call, draft, plan, writeTool } from '../shell/scripted.ts';

const hour = 3_600_000;

const calls = () => plan([call('first'), call('second')]);

it('verifies a task in which an approval was granted, never used, and forgotten with its attempt', async () => {
  const { submit, answer, question, orchestrator, store, clock, ended, takeErrors } = scene({
    model: [calls(), calls(), draft()],
    tools: ['first', 'second'].map((name) => writeTool(name, { tier: 'write_high_risk' })),
    options: {
      approvals: { verify: async (token) => granted('kim', { jti: token }) }, // kim's client signs with one name
    },
  });
  const taskId = await submit();
  const asked = async (tool: string) =>
    (await orchestrator.inbox()).find(({ question: one }) => one.approval?.tool === tool)!;
  await answer('approve', undefined, { to: await asked('first'), approval: 'always' });
  store.refuse(({ record: { fact } }) => (fact?.type === 'call.started' ? new Error('down') : undefined));
  await answer('approve', undefined, { to: await asked('second'), approval: 'always' });
  await clock.advance(hour + 4_000); // the call did not begin in time: the attempt ends
  store.refuse(undefined);
  await clock.advance(60_000);
  takeErrors();
  await answer('approve', undefined, { to: await question(), approval: 'once' });
  expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
});
