import { Agent, Runner, Usage, type Model } from '@openai/agents';
import { defineTaskClass } from 'agentcharter';
import { guardTools, runAgent, tool } from 'agentcharter/adapters/openai-agents';
import { createGuard } from 'agentcharter/guard';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { z } from 'zod';

// Run it twice with the same file, and stop the first run however you like: the second one goes on.
const [file = 'refunds.db'] = process.argv.slice(2);

const refund = tool({
  name: 'refund',
  description: 'Pays an order back.',
  parameters: z.object({ order: z.string(), euros: z.number() }),
  execute: async ({ order, euros }) => {
    console.log(`${euros} EUR paid back for ${order}`);
    return { refunded: euros };
  },
});
const { tools, bind } = guardTools([refund], {
  refund: {
    tier: 'write_high_risk', // a person approves each one
    summary: ({ order, euros }) => `Refund ${euros} EUR for order ${order}.`,
    rollback: {
      describe: ({ order, euros }) => ({ type: 'refund.recall', target: order, payload: { euros } }),
      run: async () => ({}),
    },
  },
});

// Your model goes here. This one refunds, and then says so.
const says = (text: string) => ({
  type: 'message' as const,
  role: 'assistant' as const,
  status: 'completed' as const,
  content: [{ type: 'output_text' as const, text }],
});
const call = {
  type: 'function_call' as const,
  callId: 'call-1',
  name: 'refund',
  arguments: JSON.stringify({ order: 'o-7', euros: 180 }),
};
const model: Model = {
  getResponse: async ({ input }) => {
    const isPaid = Array.isArray(input) && input.some(({ type }) => type === 'function_call_result');
    return { output: [isPaid ? says('I paid back 180 EUR.') : call], usage: new Usage() };
  },
  getStreamedResponse: () => {
    throw new Error('nothing is streamed here');
  },
};

// The guard starts the agent for a new task, after an answer, and after a restart. Its state is saved with the task.
const guard = createGuard({
  tools,
  taskClasses: [defineTaskClass({ id: 'refunds', tools: ['refund'] })],
  policy: { decide: () => ({ verdict: 'allow', reasons: ['Refunds are within the budget.'] }) },
  store: sqliteStore(file),
  agents: {
    refunds: (run, { request }) => {
      const agent = new Agent({ name: 'clerk', instructions: 'You refund orders.', model, tools: bind(run) });
      const runner = new Runner({ tracingDisabled: true });
      return runAgent(agent, `Refund order ${String(request['order'])}.`, { run, runner });
    },
  },
});
const { orchestrator } = guard;
await orchestrator.recover();

const [waiting] = await orchestrator.inbox();
if (waiting === undefined) {
  const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
  orchestrator.on('question', ({ question }) => console.log(`A person must approve: ${question.summary}`));
  const { taskId } = await orchestrator.submit({ taskClass: 'refunds', payload: { order: 'o-7' }, identity });
  await orchestrator.settled(taskId);
} else {
  await orchestrator.respond(
    { type: 'approve', target: waiting.message.messageId },
    { by: 'dana@example.org' },
  );
  const { message } = await orchestrator.settled(waiting.taskId);
  console.log(message.state, message.payload);
}
await guard.close();
