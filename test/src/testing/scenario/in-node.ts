// Run by `node --test`: the same scenarios, without vitest.
import test from 'node:test';
import { answersFor, refunds, request, tools } from './charter.ts';

void test('asks Dana before a refund', async () => {
  const run = await refunds.given(answersFor(18_000)).when(request);
  run.expectQuestion({ kind: 'approval', tool: 'refund' });
  await run.respond({ type: 'approve' }, { by: 'dana' });
  run.expectDelivered({ refunded: 18_000 });
});

void test('delivers without asking', async () => {
  const run = await refunds.given(answersFor(18_000)).when(request);
  run.expectDelivered();
});

void test('resumes the agent of a guard after Dana approves', async () => {
  const find = { tool: 'order.find', arguments: { order: 'o-7' } } as const;
  const refund = { tool: 'refund', arguments: { order: 'o-7', cents: 18_000 } } as const;
  const steps = [{ calls: [find] }, { calls: [refund] }, { payload: { refunded: 18_000 } }];
  const run = await refunds.given({ agents: { refunds: steps }, tools }).when(request);
  run.expectQuestion({ kind: 'approval', tool: 'refund' });
  await run.respond({ type: 'approve' }, { by: 'dana' });
  run.expectDelivered({ refunded: 18_000 });
});
