import { expect, it } from 'vitest';
import { defineTaskClass } from 'agentcharter';
import { createGuard, guardTool } from 'agentcharter/guard';
import { z } from 'zod';
import { identity } from './bank.ts';

it('calls that are proposed at once are one step, however long each of their schemas takes', async () => {
  const slow = z.object({ turns: z.int() }).refine(async ({ turns }) => {
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => void setImmediate(resolve));
    return true;
  });
  await using guard = createGuard({
    tools: [guardTool({ name: 'note', input: slow, execute: () => 1 }, { tier: 'write_low_risk' })],
    taskClasses: [defineTaskClass({ id: 'job', tools: ['note'], authorities: ['human'] })],
    policy: { decide: () => ({ verdict: 'needs_review', reasons: [] }) },
  });
  const run = await guard.begin({ taskClass: 'job', payload: {}, identity });
  const outcomes = await Promise.all(
    [0, 20, 40].map((turns) => run.call('note', { turns }, { ref: `c${turns}` })),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['paused', 'paused', 'paused']);
  expect(await run.questions()).toHaveLength(3);
});
