import { defineTaskClass } from 'agentcharter';
import { createGuard, guardTool } from 'agentcharter/guard';
import { tablePolicy, type PolicyRequest } from 'agentcharter/policies';
import { z } from 'zod';

const Refund = z.object({ order: z.string(), eur: z.number() });
const refund = guardTool(
  { name: 'refund', input: Refund, execute: ({ eur }) => ({ refunded: eur }) },
  { tier: 'write_low_risk' },
);
const isAbove = (limit: number) => (write: PolicyRequest) => Refund.parse(write.arguments).eur > limit;
const guard = createGuard({
  tools: [refund],
  taskClasses: [defineTaskClass({ id: 'support', tools: ['refund'] })],
  policy: tablePolicy({
    rules: [
      { tools: ['refund'], verdict: 'allow', reason: 'support may refund' },
      { tools: ['refund'], when: isAbove(100), verdict: 'needs_review', reason: 'above 100 EUR' },
      { tools: ['refund'], when: isAbove(1000), verdict: 'deny', reason: 'above 1000 EUR' },
    ],
  }),
});
const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
for (const eur of [100, 180, 5000]) {
  const run = await guard.begin({ taskClass: 'support', payload: {}, identity });
  const outcome = await run.call('refund', { order: 'o-7', eur }, { ref: 'call-1' });
  console.log(eur, outcome.status, 'reasons' in outcome ? outcome.reasons[0]?.code : '');
}
await guard.close();
