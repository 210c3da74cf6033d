import { defineTaskClass, defineTool } from 'agentcharter';
import { prove, scenario } from 'agentcharter/testing';
import { z } from 'zod';

// What you ship. In your project, import it.
const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  tier: 'write_low_risk',
  input: z.object({ eur: z.number() }),
  call: async () => ({}),
});
const policy = { decide: () => ({ verdict: 'needs_review' as const, reasons: ['a person checks refunds'] }) };
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
console.log('nothing is paid without an approval');

// A proof: every state that a task of this class can reach.
const { report } = prove(support, { tools: [refund] });
console.log(report.split('\n\n')[1]);
