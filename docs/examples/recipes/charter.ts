import { defineTaskClass } from 'agentcharter';
import { guardTool } from 'agentcharter/guard';
import { z } from 'zod';

const input = z.object({ eur: z.number() });
const execute = ({ eur }: z.infer<typeof input>) => ({ refunded: eur });
export default {
  tools: [guardTool({ name: 'refund', input, execute }, { tier: 'write_low_risk' })],
  taskClasses: [defineTaskClass({ id: 'support', tools: ['refund'] })],
  policy: { decide: () => ({ verdict: 'needs_review' as const, reasons: ['a person checks refunds'] }) },
};
