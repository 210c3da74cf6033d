import { defineTaskClass } from 'agentcharter';
import { createGuard, guardTool } from 'agentcharter/guard';
import { tablePolicy } from 'agentcharter/policies';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { z } from 'zod';

const refund = guardTool(
  { name: 'refund', input: z.object({ eur: z.number() }), execute: ({ eur }) => ({ refunded: eur }) },
  { tier: 'write_low_risk' },
);
const guard = createGuard({
  tools: [refund],
  taskClasses: [defineTaskClass({ id: 'support', tools: ['refund'] })],
  policy: tablePolicy({
    rules: [{ tools: ['refund'], verdict: 'needs_review', reason: 'a person checks refunds' }],
  }),
  store: sqliteStore('refunds.db'),
});
await guard.orchestrator.recover();

const [waiting] = await guard.orchestrator.inbox();
if (waiting === undefined) {
  const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
  const request = { taskClass: 'support', payload: {}, identity } as const;
  const run = await guard.begin(request, { key: 'ticket 7' }); // a repeated key begins no second task
  console.log((await run.call('refund', { eur: 180 }, { ref: 'call-1' })).status);
} else {
  await guard.orchestrator.respond({ type: 'approve', target: waiting.message.messageId }, { by: 'dana' });
  const run = await guard.resume(waiting.taskId);
  const outcome = await run.call('refund', { eur: 180 }, { ref: 'call-1' });
  console.log(outcome.status, 'result' in outcome ? outcome.result : '');
}
await guard.close();
