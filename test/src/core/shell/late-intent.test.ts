import { expect, it } from 'vitest';
import { granted } from './approvals.ts';
import { scene } from './scene.ts';
import { call, draft, plan, writeTool } from './scripted.ts';

const minute = 60_000;
const tenPastFive = Date.parse('2026-11-21T05:10:00Z'); // ten minutes after the beginning

it('makes no write under an approval that expired while the store failed', async () => {
  const grant = granted('kim', { expiresAt: tenPastFive });
  const { submit, answer, question, invocations, store, clock, takeErrors } = scene({
    model: [plan([call('write')]), draft()],
    tools: [writeTool('write', { tier: 'write_high_risk' })],
    options: { approvals: { verify: async () => grant } },
  });
  await submit();
  store.refuse(({ record: { fact } }) =>
    fact?.type === 'call.started' ? new Error('the disk is full') : undefined,
  );
  await answer('approve', undefined, { approval: 'a token' });
  await clock.advance(30 * minute);
  expect(takeErrors()).not.toEqual([]);
  store.refuse(undefined);
  await clock.advance(2 * minute);
  expect(invocations).toEqual([]);
  expect((await question()).question.kind).toBe('approval'); // and a person is asked again
});
