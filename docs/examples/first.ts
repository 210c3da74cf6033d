import { defineTaskClass } from 'agentcharter';
import { createGuard, guardTool } from 'agentcharter/guard';
import { z } from 'zod';

const input = z.object({ eur: z.number() });
const refund = guardTool({ name: 'refund', input, execute: ({ eur }) => eur }, { tier: 'write_low_risk' });
const verdictOn = (eur: number) => (eur > 100 ? 'needs_review' : 'allow');
const guard = createGuard({
  tools: [refund],
  taskClasses: [defineTaskClass({ id: 'support', tools: ['refund'] })],
  policy: { decide: ({ arguments: { eur } }) => ({ verdict: verdictOn(eur), reasons: ['limit: 100 EUR'] }) },
});
const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
const run = await guard.begin({ taskClass: 'support', payload: {}, identity });
const pay = (eur: number) => run.call('refund', { eur }, { ref: `refund ${eur}` }); // your agent calls this
for (const eur of [20, 180]) console.log(eur, (await pay(eur)).status);
for (const { message } of await run.questions())
  await guard.orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' });
console.log(180, (await pay(180)).status);
await guard.close();
