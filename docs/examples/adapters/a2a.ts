import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Role, TaskState, type AgentCard, type Part, type Task } from '@a2a-js/sdk';
import { ClientFactory, ServiceParameters, withA2AExtensions } from '@a2a-js/sdk/client';
import { DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler } from '@a2a-js/sdk/server/express';
import { createOrchestrator, defineTaskClass, defineTool, type Model } from 'agentcharter';
import {
  a2aMessage,
  dataPart,
  taskExecutor,
  textPart,
  upFormatExtension,
  upFormatUri,
} from 'agentcharter/adapters/a2a';
import { tablePolicy } from 'agentcharter/policies';
import express from 'express';
import { z } from 'zod';

// The agent: each refund needs an approval of a person.
const refund = defineTool({
  name: 'refund.pay',
  description: 'Pays money back.',
  tier: 'write_low_risk',
  input: z.object({ order: z.string(), cents: z.int() }),
  call: async ({ order, cents }) => ({ order, paid: cents }),
});
const sure = { canProceed: true, confidence: 0.9, explanation: 'As asked.' };
const model: Model = {
  answer: async ({ asks, request, evidence }) =>
    asks === 'plan'
      ? { ...sure, calls: [{ tool: 'refund.pay', arguments: { ...request, cents: 1900 } }] }
      : { ...sure, payload: { refunded: evidence.at(-1)?.payload } },
};
const orchestrator = createOrchestrator({
  taskClasses: [
    defineTaskClass({
      id: 'refund',
      tools: ['refund.pay'],
      selfApproval: true, // the user of the task may approve it; by default another person must
    }),
  ],
  tools: [refund],
  model,
  policy: tablePolicy({
    rules: [{ tools: ['refund.pay'], verdict: 'needs_review', reason: 'money leaves the house' }],
  }),
});

// The server: the SDK's own, with our executor. Our task store wraps the SDK's.
const app = express();
const server = createServer(app).listen(0, '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const identity = { agent_id: 'cashier', owner_id: 'acme', control_class: 'human-supervised' };
const executor = taskExecutor(orchestrator, { taskClass: 'refund', identity });
const agentCard: AgentCard = {
  name: 'cashier',
  description: 'Refunds orders.',
  version: '1',
  supportedInterfaces: [
    { url: `${url}/a2a`, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' },
  ],
  provider: undefined,
  capabilities: { streaming: true, extensions: [upFormatExtension()] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['application/json'],
  defaultOutputModes: ['application/json'],
  skills: [],
  signatures: [],
};
const requestHandler = new DefaultRequestHandler(
  agentCard,
  executor.tasks(new InMemoryTaskStore()),
  executor,
);
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
// Your authentication goes here. The signed-in user is the one who answers.
const userBuilder = async () => ({ isAuthenticated: true, userName: 'dana' });
app.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder }));

// The client: any client of A2A.
const client = await new ClientFactory().createFromUrl(url);
const send = async (parts: Part[], task?: Task): Promise<Task> => {
  const named = { messageId: randomUUID(), taskId: task?.id ?? '', contextId: task?.contextId ?? '' };
  const message = a2aMessage({ ...named, parts }, Role.ROLE_USER);
  const serviceParameters = ServiceParameters.create(withA2AExtensions(upFormatUri));
  const request = { tenant: '', message, configuration: undefined, metadata: undefined };
  const sent = await client.sendMessage(request, { serviceParameters });
  if (!('status' in sent)) throw new TypeError('expected a task');
  const [first] = sent.status?.message?.parts ?? [];
  const words = first?.content?.$case === 'text' ? first.content.value : '';
  console.log(`${TaskState[sent.status?.state ?? 0]}: ${words}`);
  return sent;
};

const asked = await send([textPart('Please refund this order.'), dataPart({ order: 'A-7' })]);
await send([textPart('yes')], asked); // plain text approves nothing
const target = asked.status?.message?.messageId;
const paid = await send([dataPart({ type: 'approve', target }, 'UpFeedback')], asked);
console.log(JSON.stringify(paid.artifacts[0]?.parts[0]?.content));

await orchestrator.close();
server.close();
server.closeAllConnections();
