// Run by `node --test`: the same scenarios, without vitest.
import test from 'node:test';
import { answersFor, refunds, request } from './charter.ts';

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
