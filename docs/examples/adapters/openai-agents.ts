import { Agent, Runner, Usage, type Model } from '@openai/agents';
import { defineTaskClass } from 'agentcharter';
import {
  guardTools,
  resumeAgent,
  runAgent,
  tool,
  type AgentStop,
  type KeptAgent,
} from 'agentcharter/adapters/openai-agents';
import { createGuard } from 'agentcharter/guard';
import { tablePolicy } from 'agentcharter/policies';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';

// The tools of an agent, unchanged but for the import of `tool`.
const findOrder = tool({
  name: 'find_order',
  description: 'Finds an order.',
  parameters: z.object({ order: z.string() }),
  execute: async ({ order }) => ({ order, cents: 1200 }),
});
const refund = tool({
  name: 'refund',
  description: 'Pays an order back.',
  parameters: z.object({ order: z.string(), cents: z.int() }),
  execute: async ({ order, cents }) => {
    console.log(`the till pays ${cents} cents for ${order}`);
    return { refunded: cents };
  },
});

// Their contracts: how risky they are, and how to undo them.
const { tools, bind } = guardTools([findOrder, refund], {
  find_order: { tier: 'read_only' },
  refund: {
    tier: 'write_high_risk',
    rollback: {
      describe: ({ order, cents }) => ({ type: 'refund.recall', target: order, payload: { cents } }),
      run: async () => ({}),
    },
  },
});
const guard = createGuard({
  tools,
  taskClasses: [
    defineTaskClass({
      id: 'refunds',
      tools: ['find_order', 'refund'],
      beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'refund' }] },
    }),
  ],
  policy: tablePolicy({ rules: [{ tools: ['refund'], verdict: 'allow', reason: 'within the limit' }] }),
});

// A language model goes here. This one first claims to be done.
const says = (text: string) => [
  {
    type: 'message' as const,
    role: 'assistant' as const,
    status: 'completed' as const,
    content: [{ type: 'output_text' as const, text }],
  },
];
const calls = (callId: string, name: string, input: object) => [
  { type: 'function_call' as const, callId, name, arguments: JSON.stringify(input) },
];
const turns = [
  says('I paid it back.'),
  calls('call-1', 'find_order', { order: 'o-7' }),
  calls('call-2', 'refund', { order: 'o-7', cents: 1200 }),
  says('I paid back 1200 cents.'),
  says('I paid back 1200 cents.'),
];
const model: Model = {
  getResponse: async () => ({ output: turns.shift() ?? says('?'), usage: new Usage() }),
  getStreamedResponse: () => {
    throw new Error('nothing is streamed here');
  },
};

const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
const run = await guard.begin({ taskClass: 'refunds', payload: { order: 'o-7' }, identity });
const agent = new Agent({ name: 'clerk', instructions: 'You refund orders.', model, tools: bind(run) });
const options = { run, key: randomBytes(32), runner: new Runner({ tracingDisabled: true }) };

const show = (stop: AgentStop<KeptAgent>): string => {
  console.log(stop.status, ...('payload' in stop ? [stop.payload] : []));
  return 'kept' in stop ? stop.kept : '';
};
const stop = await runAgent(agent, 'Refund order o-7.', options);
const kept = show(stop); // a text, so you can store it for days
console.log('it was sent back for', (await run.progress()).unmet[0]?.code);
for (const { interruption, questions } of 'waiting' in stop ? stop.waiting : [])
  console.log(`${interruption.name} waits: ${questions[0]?.message.explanation}`);

// Resumed before an answer, it waits. An edited text is refused.
show(await resumeAgent(agent, kept, options));
const edited = kept.replace(/\.[^.]+\./, (body) => `${body.slice(0, -2)}A.`);
await resumeAgent(agent, edited, options).catch((error: Error) => console.log(error.message));

// A user that you authenticated answers. Then the agent resumes, here or in another process.
const [asked] = await run.questions();
const target = asked?.message.messageId ?? '';
await guard.orchestrator.respond({ type: 'approve', target }, { by: 'dana@example.org' });
show(await resumeAgent(agent, kept, options));
show(await resumeAgent(agent, kept, options)); // as often as you like
await guard.close();
