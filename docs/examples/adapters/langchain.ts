import { Command, MemorySaver } from '@langchain/langgraph';
import { AIMessage, createAgent, fakeModel, tool } from 'langchain';
import { defineTaskClass } from 'agentcharter';
import { charterMiddleware, guardTools, runGraph } from 'agentcharter/adapters/langchain';
import { createGuard } from 'agentcharter/guard';
import { tablePolicy } from 'agentcharter/policies';
import { z } from 'zod';

// The tools of an agent, unchanged.
const customer = z.string();
const readInvoice = tool(async (input) => ({ ...input, paid: 4200 }), {
  name: 'read_invoice',
  description: 'Reads the last invoice of a customer.',
  schema: z.object({ customer }),
});
const refund = tool(
  async (input) => {
    console.log(`  ${input.cents} go back to ${input.customer}`);
    return { refunded: input.cents };
  },
  {
    name: 'refund',
    description: 'Gives a customer money back.',
    schema: z.object({ customer, cents: z.int() }),
  },
);

// Their contracts. A tool without one is write_high_risk.
const guarded = guardTools([readInvoice, refund], {
  read_invoice: { tier: 'read_only' },
  refund: {
    rollback: {
      describe: ({ customer, cents }) => ({
        type: 'charge.again',
        target: customer,
        payload: { cents },
      }),
      run: async () => ({}),
    },
  },
});
const guard = createGuard({
  tools: guarded.tools,
  taskClasses: [
    defineTaskClass({
      id: 'complaint',
      tools: ['read_invoice', 'refund'],
      beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'read_invoice' }] },
    }),
  ],
  policy: tablePolicy({ rules: [{ tools: ['refund'], verdict: 'allow', reason: 'complaints' }] }),
});

// A language model goes here. This one answers too early, and is sent back.
const call = (id: string, name: string, args: object) => [{ id, name, args: { customer: 'ada', ...args } }];
const model = fakeModel()
  .respond(new AIMessage('You have your money back.'))
  .respondWithTools(call('c1', 'read_invoice', {}))
  .respondWithTools(call('c2', 'refund', { cents: 4200 }))
  .respond(new AIMessage('You have 42.00 back.'))
  .respond(new AIMessage('You have 42.00 back.'));
const agent = createAgent({
  model,
  middleware: [charterMiddleware(guarded, guard.resume)], // a thread is a run
  checkpointer: new MemorySaver(),
});

const identity = { agent_id: 'desk', owner_id: 'acme', control_class: 'human-supervised' };
const run = await guard.begin({ taskClass: 'complaint', payload: {}, identity });
const thread = { configurable: { thread_id: run.taskId } };

const stop = await runGraph(agent, run, { messages: [{ role: 'user', content: 'The lamp is broken.' }] });
const { values, config } = await agent.graph.getState(thread);
for (const { type, text } of values.messages) if (type !== 'ai') console.log(`${type}: ${text.slice(0, 66)}`);
console.log(`${stop.status}:`, ...(await run.questions()).map(({ message }) => message.explanation));

// An approval of the framework approves nothing.
const approved = new Command({ resume: { decisions: [{ type: 'approve' }] } });
console.log((await runGraph(agent, run, approved)).status);

// A user that you authenticated approves. The agent resumes where it stopped.
for (const { message } of await run.questions())
  await guard.orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'kim' });
console.log(await runGraph(agent, run));

// Resumed from an older checkpoint, the call returns its recorded result.
console.log(await runGraph(agent, run, approved, config));
await guard.close();
