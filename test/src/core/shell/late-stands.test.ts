import { expect, it } from 'vitest';
import { fails } from './scene.ts';
import { levels } from './levels.ts';
import { call, draft, later, plan, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

it('A failed task names a write that landed after a person ruled it out, and that nothing undoes', async () => {
  const landing = later();
  const pay = { ...writeTool('pay', { deadline: 1_000, call: () => landing.promise }), rollback: null };
  const scenario = levels(
    { work: { tools: ['pay'], limits: { repairs: 1 }, beforeDeliver: { verifiers: ['strict'] } } },
    [pay],
    {
      work: async ({ asks, attempt }) => {
        if (attempt === 0) return plan([call('pay')]);
        landing.resolve(null);
        await settle();
        return asks === 'plan' ? plan() : draft();
      },
    },
    { verifiers: { strict: fails } },
  );
  const taskId = await scenario.submit();
  await scenario.clock.advance(1_000);
  await scenario.answer('reject');
  const { reasons, message } = await scenario.ended(taskId);
  expect(reasons.map(({ code }) => code)).toEqual(['VERIFICATION_FAILED']);
  expect(message.explanation).toContain('These writes stay: Call pay.');
  expect(message.payload['kept']).toMatchObject([{ tool: 'pay' }]);
});
