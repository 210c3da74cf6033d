import { defineTaskClass, defineVerifier } from 'agentcharter';
import { createGuard, guardTool } from 'agentcharter/guard';
import { z } from 'zod';

const Order = z.object({ order: z.string(), eur: z.number() });
const readOrder = guardTool(
  {
    name: 'order.read',
    input: z.object({ order: z.string() }),
    execute: ({ order }) => ({ order, eur: 180 }),
  },
  { tier: 'read_only' },
);
const amountAgrees = defineVerifier({
  id: 'amount-agrees',
  verify: ({ value, evidence }) => {
    const answer = Order.parse(value);
    const found = evidence.some(({ payload }) => Order.safeParse(payload).data?.eur === answer.eur);
    return { checks: [{ check_id: 'amount', result: found ? 'pass' : 'fail' }] };
  },
});
const guard = createGuard({
  tools: [readOrder],
  verifiers: [amountAgrees],
  taskClasses: [
    defineTaskClass({ id: 'quotes', tools: ['order.read'], beforeDeliver: { verifiers: ['amount-agrees'] } }),
  ],
});
const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
const run = await guard.begin({ taskClass: 'quotes', payload: {}, identity });
for (const [at, eur] of [18, 180].entries()) {
  await run.call('order.read', { order: 'o-7' }, { ref: `call-${at}` });
  const answer = await run.conclude({ payload: { order: 'o-7', eur } });
  console.log(eur, answer.status, 'unmet' in answer ? answer.unmet[0]?.says : '');
}
await guard.close();
