import { createGuard } from 'agentcharter/guard';
import { defineTaskClass } from 'agentcharter';
import { generateGuarded, guardTools } from 'agentcharter/adapters/ai-sdk';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { tool, ToolLoopAgent } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';

// Run it twice with the same file, and stop the first run however you like: the second one goes on.
const [file = 'refunds.db'] = process.argv.slice(2);

const refund = tool({
  description: 'Pays an order back.',
  inputSchema: z.object({ order: z.string(), euros: z.number() }),
  execute: async ({ order, euros }) => {
    console.log(`${euros} EUR paid back for ${order}`);
    return { refunded: euros };
  },
});
const guarded = guardTools(
  { refund },
  {
    refund: {
      tier: 'write_high_risk', // a person approves each one
      summary: ({ order, euros }) => `Refund ${euros} EUR for order ${order}.`,
      rollback: {
        describe: ({ order, euros }) => ({ type: 'refund.recall', target: order, payload: { euros } }),
        run: async () => ({}),
      },
    },
  },
);

// Your model goes here. This one refunds, and then says so.
const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const isPaid = prompt.some(({ role }) => role === 'tool');
    const input = JSON.stringify({ order: 'o-7', euros: 180 });
    return {
      content: isPaid
        ? [{ type: 'text', text: 'I paid back 180 EUR.' }]
        : [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'refund', input }],
      finishReason: { unified: isPaid ? 'stop' : 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    };
  },
});

// The guard starts the agent for a new task, after an answer, and after a restart. Its messages are saved with the task.
const guard = createGuard({
  tools: guarded.tools,
  taskClasses: [defineTaskClass({ id: 'refunds', tools: ['refund'] })],
  policy: { decide: () => ({ verdict: 'allow', reasons: ['Refunds are within the budget.'] }) },
  store: sqliteStore(file),
  agents: {
    refunds: (run, { request }) => {
      const agent = new ToolLoopAgent({
        instructions: 'You refund orders.',
        ...guarded.bind(run, { model }),
      });
      const content = `Refund order ${String(request['order'])}.`;
      return generateGuarded({ run, agent, messages: [{ role: 'user', content }] });
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
