import { createOrchestrator, defineTaskClass, defineTool } from 'agentcharter';
import { cedarPolicy } from 'agentcharter/policies/cedar';
import { z } from 'zod';

// Who may refund how much. What no rule permits is denied.
const policies = `
  @reason("a small refund, by an agent that the host vouches for")
  permit (principal, action == Action::"call", resource == Tool::"refund")
    when { context.arguments.cents <= 5000 && principal.attestation != "none" };

  @reason("above 50.00 a person decides") @verdict("needs_review")
  permit (principal in Team::"support", action == Action::"call", resource == Tool::"refund")
    when { context.arguments.cents > 5000 };

  @reason("no refund above 1000.00")
  forbid (principal, action, resource == Tool::"refund")
    when { context.arguments.cents > 100000 };
`;
const team = { uid: { type: 'Agent', id: 'clerk' }, parents: [{ type: 'Team', id: 'support' }] };

const refund = defineTool({
  name: 'refund',
  description: 'Pays an order back.',
  tier: 'write_low_risk',
  input: z.object({ order: z.string(), cents: z.int() }),
  call: async ({ order, cents }) => ({ order, refunded: cents }),
});
const refunds = defineTaskClass({ id: 'refunds', tools: ['refund'] });

// A language model goes here. This one proposes what the request says.
const sure = { canProceed: true, confidence: 0.95 };
const model = {
  answer: async ({ asks, request }: { asks: string; request: object }) =>
    asks === 'plan'
      ? { ...sure, explanation: 'The order is paid back.', calls: [{ tool: 'refund', arguments: request }] }
      : { ...sure, explanation: 'That is the result.', payload: {} },
};

const orchestrator = createOrchestrator({
  taskClasses: [refunds],
  tools: [refund],
  model,
  policy: cedarPolicy({ policies, entities: [team] }),
  attest: ({ agent_id }) => (agent_id === 'clerk' ? 'vouched' : 'none'),
});
orchestrator.on('question', ({ message: { messageId: target } }) =>
  orchestrator.respond({ type: 'approve', target }, { by: 'dana@example.org' }),
);

const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
for (const cents of [2_000, 20_000, 200_000]) {
  const payload = { order: 'A-7', cents };
  const explanation = 'The parcel never came.';
  const { taskId } = await orchestrator.submit({ taskClass: 'refunds', payload, explanation, identity });
  const { outcome } = await orchestrator.settled(taskId);
  for (const { fact, brought } of await orchestrator.ledger(taskId))
    if (fact?.type === 'policy.decided')
      console.log(`${cents / 100}: ${fact.verdict}, ${brought?.reasons?.join('; ')} -> ${outcome}`);
}
await orchestrator.close();
