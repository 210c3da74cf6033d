import { createOrchestrator, defineTaskClass, defineTool, type Model } from 'agentcharter';
import { createGuard, guardTool } from 'agentcharter/guard';
import { tablePolicy } from 'agentcharter/policies';
import { prove, scenario } from 'agentcharter/testing';
import { z } from 'zod';

export declare const model: Model;
export const find = defineTool({
  name: 'order.find',
  description: 'Finds an order.',
  tier: 'read_only',
  input: z.object({ order: z.string() }),
  call: async ({ order }) => ({ order, cents: 1_200 }),
});
const input = z.object({ order: z.string(), cents: z.number() });
const call = async ({ cents }: { cents: number }) => ({ cents });
export const refund = defineTool({
  name: 'refund',
  description: 'Refunds an order.',
  input,
  call,
  rollback: {
    describe: ({ order, cents }) => ({ type: 'charge', target: order, payload: { cents } }),
    run: async () => {},
  },
});
export const refunds = defineTaskClass({
  id: 'refunds',
  tools: ['order.find', 'refund'],
  output: z.object({ refunded: z.number() }),
});
export const tools = [find, refund] as const;
export const orchestrator = createOrchestrator({ tools, taskClasses: [refunds], model });
export const guard = createGuard({ tools, taskClasses: [refunds] });
export const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
export const request = { taskClass: 'refunds', payload: {}, identity } as const;
export const scenarios = scenario({ tools, taskClasses: [refunds] });
export const pay = guardTool(
  { name: 'pay', input: z.object({ eur: z.number() }), execute: ({ eur }) => eur },
  { tier: 'write_low_risk' },
);
export const desk = createGuard({
  tools: [pay],
  taskClasses: [defineTaskClass({ id: 'support', tools: ['pay'] })],
});
export { createGuard, createOrchestrator, defineTaskClass, defineTool, guardTool, prove, tablePolicy, z, input, call };
