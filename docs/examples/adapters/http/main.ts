import { defineTaskClass } from 'agentcharter';
import { createWire } from 'agentcharter/adapters/http';
import { createGuard, guardTool } from 'agentcharter/guard';
import { tablePolicy } from 'agentcharter/policies';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

// The tools stay here. The Python program calls none of them itself.
const tools = [
  guardTool(
    {
      name: 'bill.read',
      input: z.object({ bill: z.string() }),
      execute: () => ({ from: 'Ada', cents: 12_000 }),
    },
    { tier: 'read_only' },
  ),
  guardTool(
    {
      name: 'money.send',
      input: z.object({ to: z.string(), cents: z.int() }),
      execute: ({ to, cents }) => {
        console.log(`here: ${cents} cents are sent to ${to}`);
        return { sent: cents };
      },
    },
    {
      tier: 'write_high_risk',
      rollback: {
        describe: ({ to, cents }) => ({ type: 'money.recall', target: to, payload: { cents } }),
        run: async () => ({}),
      },
    },
  ),
];
const guard = createGuard({
  tools,
  taskClasses: [
    defineTaskClass({
      id: 'bills',
      tools: ['bill.read', 'money.send'],
      beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'bill.read' }] },
    }),
  ],
  policy: tablePolicy({ rules: [{ tools: ['money.send'], verdict: 'allow', reason: 'bills are paid' }] }),
});

// Your authentication goes here. This example has two tokens in a table.
const agent = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
const callers = new Map<string, { agent: typeof agent } | { person: string }>([
  ['Bearer clerks', { agent }],
  ['Bearer kims', { person: 'kim' }],
]);
const wire = createWire(guard, {
  identity: ({ headers }) => callers.get(headers.get('authorization') ?? '') ?? null,
});
const url = await wire.listen();

// Kim answers over HTTP. In production, use the console or a page of yours.
guard.orchestrator.on('question', async ({ question, message }) => {
  console.log(`here: ${message.explanation} Kim approves it.`);
  if (!question.accepts.includes('approve')) return;
  const body = JSON.stringify({ feedback: { type: 'approve', target: message.messageId } });
  const headers = { authorization: 'Bearer kims', 'content-type': 'application/json' };
  await fetch(`${url}/feedback`, { method: 'POST', headers, body });
});

const program = fileURLToPath(new URL('agent.py', import.meta.url));
const python = spawn('python3', [program, url, 'clerks'], { stdio: ['ignore', 'pipe', 'inherit'] });
python.on('error', () => console.log('This example wants python3.'));
for await (const line of createInterface(python.stdout)) console.log(`python: ${line}`);

for (const { state } of await guard.orchestrator.list()) console.log(`here: the run is ${state}`);
await wire.close();
await guard.close();
