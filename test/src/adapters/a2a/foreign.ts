import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { TaskState, type AgentCard, type Message } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore, type AgentExecutor } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import type { CallContext } from 'agentcharter';
import { a2aMessage, dataPart, textPart } from 'agentcharter/adapters/a2a';
import express, { type Request, type Response } from 'express';
import { z } from 'zod';
import type { ToolSpec } from '../subject.ts';

const Asked = z.record(z.string(), z.unknown());

const askedIn = ({ parts }: Message): z.infer<typeof Asked> =>
  Asked.parse(parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value] : []))[0]);

/** An agent that never heard of us: it does what one tool does, and completes its task or fails it. */
const executorOf = ({ execute }: ToolSpec): AgentExecutor => ({
  cancelTask: async () => {},
  execute: async ({ taskId, contextId, userMessage }, bus) => {
    const of = { contextId, metadata: undefined };
    const statusOf = (state: TaskState, text: string) => {
      const message = a2aMessage({ messageId: randomUUID(), taskId, contextId, parts: [textPart(text)] });
      return { state, message, timestamp: new Date().toISOString() };
    };
    const end = (state: TaskState, text: string): void =>
      bus.publish(AgentEvent.statusUpdate({ ...of, taskId, status: statusOf(state, text) }));
    const status = statusOf(TaskState.TASK_STATE_WORKING, 'It begins.');
    bus.publish(AgentEvent.task({ ...of, id: taskId, status, artifacts: [], history: [userMessage] }));
    try {
      const result = await execute(askedIn(userMessage), {} as CallContext); // these tools ask nothing of it
      const named = { artifactId: 'result', name: 'result', description: '' };
      const artifact = { ...named, parts: [dataPart(result)], metadata: undefined, extensions: [] };
      bus.publish(AgentEvent.artifactUpdate({ ...of, taskId, artifact, append: false, lastChunk: true }));
      end(TaskState.TASK_STATE_COMPLETED, 'It is done.');
    } catch (error) {
      end(TaskState.TASK_STATE_FAILED, String(error));
    }
  },
});

export const cardOf = ({ name, description = '' }: ToolSpec, url: string): AgentCard => ({
  name,
  description,
  version: '1',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
  provider: undefined,
  capabilities: { streaming: false, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['application/json'],
  defaultOutputModes: ['application/json'],
  skills: [],
  signatures: [],
});

/** Answers a request to the agent of a tool in that agent's place; `false` leaves it to the agent. */
export type Stranger = (request: Request, response: Response, spec: ToolSpec) => boolean;

/** One agent for each tool, all of them behind one express server on the loopback; a stranger may stand in front of them. */
export const serveAgents = async (specs: readonly ToolSpec[]) => {
  let stranger: Stranger | null = null;
  const app = express();
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const urlOf = ({ name }: ToolSpec): string =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
  for (const spec of specs) {
    const card = cardOf(spec, `${urlOf(spec)}/a2a`);
    const requestHandler = new DefaultRequestHandler(card, new InMemoryTaskStore(), executorOf(spec));
    const at = express.Router();
    at.use((request, response, next) => stranger?.(request, response, spec) === true || next());
    at.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
    at.use('/a2a', jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
    app.use(`/${spec.name}`, at);
  }
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const swap = (by: Stranger): void => void (stranger = by);
  return { urlOf, close, swap };
};
