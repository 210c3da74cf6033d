import { defineTaskClass } from 'agentcharter';
import { createWire } from 'agentcharter/adapters/http';
import { createConsole } from 'agentcharter/console';
import { createGuard, guardTool } from 'agentcharter/guard';
import { z } from 'zod';

const read = guardTool(
  {
    name: 'bill.read',
    input: z.object({ bill: z.string() }),
    execute: () => ({ from: 'Ada', cents: 12_000 }),
  },
  { tier: 'read_only' },
);
const send = guardTool(
  {
    name: 'money.send',
    input: z.object({ to: z.string(), cents: z.int() }),
    execute: ({ cents }) => ({ sent: cents }),
  },
  {
    rollback: {
      describe: ({ to, cents }) => ({ type: 'money.recall', target: to, payload: { cents } }),
      run: async () => ({}),
    },
  },
);
const guard = createGuard({
  tools: [read, send],
  taskClasses: [
    defineTaskClass({
      id: 'bills',
      tools: ['bill.read', 'money.send'],
      beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'bill.read' }] },
    }),
  ],
  policy: { decide: () => ({ verdict: 'allow', reasons: ['bills are paid'] }) },
});
const agent = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
const wire = createWire(guard, {
  identity: ({ headers }) => (headers.get('authorization') === 'Bearer clerks' ? { agent } : null),
});
console.log(await wire.listen(8080));
// Dana answers here:
console.log(await createConsole(guard.orchestrator, { identity: () => 'dana' }).listen(8081));
