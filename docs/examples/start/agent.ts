import { defineTaskClass } from 'agentcharter';
import { generateGuarded, guardTools } from 'agentcharter/adapters/ai-sdk';
import { createGuard } from 'agentcharter/guard';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { tool, ToolLoopAgent } from 'ai';
import { z } from 'zod';
import { model } from './model.js';
const inputSchema = z.object({ eur: z.number() });
const refund = tool({ inputSchema, execute: async ({ eur }) => eur });
const { tools, bind } = guardTools({ refund }, { refund: { tier: 'write_low_risk' } });
const guard = createGuard({
  tools,
  taskClasses: [defineTaskClass({ id: 'support', tools: ['refund'] })],
  policy: {
    decide: ({ arguments: { eur } }) => ({
      verdict: eur > 100 ? 'needs_review' : 'allow',
      reasons: ['limit: 100 EUR'],
    }),
  },
  store: sqliteStore('agent.db'),
});
await guard.orchestrator.recover();
const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
const run = await guard.begin({ taskClass: 'support', payload: {}, identity }, { key: 'ticket 7' });
for (const { message } of await run.questions())
  await guard.orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' });
const messages = [{ role: 'user' as const, content: 'Refund 180 EUR.' }];
const agent = new ToolLoopAgent(bind(run, { model }));
console.log((await generateGuarded({ run, agent, messages })).status);
await guard.close();
