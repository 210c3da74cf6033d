import { defineTaskClass, defineTool } from 'agentcharter';
import { scenario } from 'agentcharter/testing';
import { z } from 'zod';

// A process of its own: in this one nothing was loaded before the scenario.

const find = defineTool({
  name: 'find',
  description: 'Finds a seat.',
  tier: 'read_only',
  input: z.object({ seat: z.string() }),
  call: async () => ({ ok: true }),
});
const booking = defineTaskClass({ id: 'booking', tools: ['find'], output: z.object({ seat: z.string() }) });
const sure = { canProceed: true, confidence: 0.9, explanation: 'A seat.' };
const refused = { ...sure, calls: [{ tool: 'find', arguments: { place: 'a1' } }] };
const output = { ...sure, calls: [{ tool: 'find', arguments: { seat: 'a1' } }] };
const mended = { choice: 'fixed' as const, output, explanation: 'The seat has a name.' };

const run = await scenario({ taskClasses: [booking], tools: [find] })
  .given({ model: [() => refused, mended, { payload: { seat: 'a1' } }], tools: { find: { ok: true } } })
  .when({ taskClass: 'booking', payload: {} });
console.log(JSON.stringify(run.expectDelivered({ seat: 'a1' })));
