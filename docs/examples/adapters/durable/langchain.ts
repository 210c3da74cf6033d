import { defineTaskClass } from 'agentcharter';
import { charterMiddleware, guardTools, runGraph, taskCheckpointer } from 'agentcharter/adapters/langchain';
import { createGuard } from 'agentcharter/guard';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { AIMessage, createAgent, fakeModel, tool, ToolMessage } from 'langchain';
import { z } from 'zod';

// Run it twice with the same file, and stop the first run however you like: the second one goes on.
const [file = 'refunds.db'] = process.argv.slice(2);

const refund = tool(
  async ({ order, euros }) => {
    console.log(`${euros} EUR paid back for ${order}`);
    return { refunded: euros };
  },
  {
    name: 'refund',
    description: 'Pays an order back.',
    schema: z.object({ order: z.string(), euros: z.number() }),
  },
);
const guarded = guardTools([refund], {
  refund: {
    tier: 'write_high_risk', // a person approves each one
    rollback: {
      describe: ({ order, euros }) => ({
        type: 'refund.recall',
        target: order,
        payload: { euros },
      }),
      run: async () => ({}),
    },
  },
});

// Your model goes here. This one refunds, and then says so.
const args = { order: 'o-7', euros: 180 };
const call = new AIMessage({ content: '', tool_calls: [{ id: 'call-1', name: 'refund', args }] });
const model = fakeModel();
for (let turn = 0; turn < 4; turn += 1)
  model.respond((messages) =>
    messages.some((message) => ToolMessage.isInstance(message))
      ? new AIMessage('{ "text": "I paid back 180 EUR." }')
      : call,
  );

// The guard starts the agent for a new task, after an answer, and after a restart. Its checkpoint is saved with the task.
const guard = createGuard({
  tools: guarded.tools,
  taskClasses: [defineTaskClass({ id: 'refunds', tools: ['refund'] })],
  policy: { decide: () => ({ verdict: 'allow', reasons: ['Refunds are within the budget.'] }) },
  store: sqliteStore(file),
  agents: {
    refunds: (run, { request }) => {
      const agent = createAgent({
        model,
        middleware: [charterMiddleware(guarded, run)],
        checkpointer: taskCheckpointer(run),
      });
      const content = `Refund order ${String(request['order'])}.`;
      return runGraph(agent, run, { messages: [{ role: 'user', content }] });
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
