import { createGuard, guardTool } from 'agentcharter/guard';
import { defineTaskClass } from 'agentcharter';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { later } from '../core/shell/scripted.ts';
import { identity } from './bank.ts';

test('a guard that drains tells an agent the result of its call, and takes no further one', async () => {
  const begun = later();
  const ends = later();
  const guard = createGuard({
    tools: [
      guardTool(
        {
          name: 'pay',
          input: z.object({ to: z.string() }),
          execute: async ({ to }) => {
            begun.resolve(null);
            await ends.promise;
            return { paid: to };
          },
        },
        { tier: 'write_low_risk' },
      ),
    ],
    taskClasses: [defineTaskClass({ id: 'job', tools: ['pay'] })],
    policy: { decide: () => ({ verdict: 'allow', reasons: ['r'] }) },
  });
  const run = await guard.begin({ taskClass: 'job', payload: {}, identity });
  const paid = run.call('pay', { to: 'dana' });
  await begun.promise;
  const closed = guard.close({ drain: 60_000 });
  await expect(run.call('pay', { to: 'kim' })).rejects.toMatchObject({ code: 'closed' });
  await expect(run.conclude({ payload: {} })).rejects.toMatchObject({ code: 'closed' });
  expect(await run.progress()).toMatchObject({ isSettled: false }); // reading goes on
  ends.resolve(null);
  expect(await paid).toMatchObject({ status: 'done', result: { paid: 'dana' } });
  await closed;
  await expect(run.progress()).rejects.toMatchObject({ code: 'closed' });
});
