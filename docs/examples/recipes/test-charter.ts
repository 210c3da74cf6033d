import { defineTaskClass, defineTool } from 'agentcharter';
import { tablePolicy, type PolicyRequest } from 'agentcharter/policies';
import { prove, scenario } from 'agentcharter/testing';
import { z } from 'zod';

// What you ship: a tool, a policy and a task class. In your project, import them.
const Refund = z.object({ eur: z.number() });
const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  tier: 'write_low_risk',
  input: Refund,
  call: async () => ({}),
});
const isAbove100 = (write: PolicyRequest) => Refund.parse(write.arguments).eur > 100;
const policy = tablePolicy({
  rules: [
    { tools: ['refund'], verdict: 'allow', reason: 'support may refund' },
    { tools: ['refund'], when: isAbove100, verdict: 'needs_review', reason: 'above 100 EUR' },
  ],
});
const support = defineTaskClass({ id: 'support', tools: ['refund'] });

// A scenario: your rules, with scripted answers of the model and the tool.
const run = await scenario({ taskClasses: [support], tools: [refund], policy })
  .given({
    model: [{ calls: [{ tool: 'refund', arguments: { eur: 180 } }] }],
    tools: { refund: { ok: true } },
  })
  .when({ taskClass: 'support', payload: {} });
run.expectQuestion({ kind: 'approval', tool: 'refund' });
run.expectNotCalled('refund');
console.log('180 EUR is not paid without an approval');

// A proof: every state that a task of this class can reach.
const { report } = prove(support, { tools: [refund] });
console.log(report.split('\n\n')[1]);
