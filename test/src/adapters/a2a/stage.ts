import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Role, TaskState, type AgentCard, type Message, type Part, type Task } from '@a2a-js/sdk';
import { ClientFactory, ServiceParameters, withA2AExtensions, type Client } from '@a2a-js/sdk/client';
import { DefaultRequestHandler, InMemoryTaskStore, type TaskStore } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler } from '@a2a-js/sdk/server/express';
import express from 'express';
import { onTestFinished } from 'vitest';
import { createOrchestrator, defineTaskClass, type OrchestratorOptions } from '../../../../src/index.ts';
import type { UpFeedback, UpFormatMessage } from '../../../../schema/index.ts';
import {
  dataPart,
  textPart,
  taskExecutor,
  upFormatExtension,
  upFormatUri,
  type TaskExecutorOptions,
} from '../../../../src/adapters/a2a/index.ts';
import { contentOf } from '../../../../src/adapters/a2a/parts.ts';
import type { Orchestrator, TaskClassDefinition } from '../../../../src/index.ts';
import { identity, scriptedModel, scriptedPolicy, type Script } from '../../core/shell/scripted.ts';

export const cardOf = (url: string, more: Partial<AgentCard> = {}): AgentCard => ({
  name: 'stage',
  description: 'Works.',
  version: '1',
  supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
  provider: undefined,
  capabilities: { streaming: true, extensions: [upFormatExtension()] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['application/json', 'text/plain'],
  defaultOutputModes: ['application/json'],
  skills: [],
  signatures: [],
  ...more,
});

type Executor = ConstructorParameters<typeof DefaultRequestHandler>[2];

/** An express server on the loopback; `x-user` says who is signed in. */
export const serve = async (executor: Executor, store: TaskStore, more: Partial<AgentCard> = {}) => {
  const app = express();
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const requestHandler = new DefaultRequestHandler(cardOf(`${url}/a2a`, more), store, executor);
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use(
    '/a2a',
    jsonRpcHandler({
      requestHandler,
      userBuilder: async (request) => {
        const userName = request.header('x-user') ?? '';
        return { isAuthenticated: userName !== '', userName };
      },
    }),
  );
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  return { url, close, client: await new ClientFactory().createFromUrl(url) };
};

export interface Staged {
  readonly model?: Script;
  readonly taskClass?: Partial<TaskClassDefinition>;
  readonly options?: Partial<OrchestratorOptions>;
  readonly executor?: Partial<TaskExecutorOptions>;
  readonly inner?: TaskStore;
  /** What stands between the executor and the orchestrator. */
  readonly around?: (orchestrator: Orchestrator) => Orchestrator;
}

/** An orchestrator behind a real server. */
export const stage = async (given: Staged = {}) => {
  const { model, turns } = scriptedModel(given.model ?? []);
  const orchestrator = createOrchestrator({
    taskClasses: [
      defineTaskClass({
        id: 'work',
        tools: (given.options?.tools ?? []).map(({ name }) => name),
        selfApproval: true, // the user who begins a task of A2A is the one who answers there
        ...given.taskClass,
      }),
    ],
    model,
    policy: scriptedPolicy('allow').policy,
    ...given.options,
  });
  onTestFinished(() => orchestrator.close());
  const { around = (one) => one } = given;
  const executor = taskExecutor(around(orchestrator), { taskClass: 'work', identity, ...given.executor });
  const inner = given.inner ?? new InMemoryTaskStore();
  const served = await serve(executor, executor.tasks(inner));
  return { ...served, ...talk(served.client), orchestrator, executor, inner, turns };
};

export interface Saying {
  readonly parts?: readonly Part[];
  readonly task?: Task;
  readonly user?: string | null;
  readonly approval?: string;
  readonly messageId?: string;
  readonly contextId?: string;
  readonly references?: readonly string[];
  readonly traceparent?: string;
  readonly isPolling?: boolean;
}

const optionsFor = (user: string | null, traceparent?: string) => ({
  serviceParameters: {
    ...ServiceParameters.create(withA2AExtensions(upFormatUri)),
    ...(user !== null && { 'x-user': user }),
    ...(traceparent !== undefined && { traceparent }),
  },
});

const requestOf = ({ parts, task, approval, isPolling = false, ...given }: Saying) => {
  const message: Message = {
    messageId: given.messageId ?? randomUUID(),
    contextId: given.contextId ?? task?.contextId ?? '',
    taskId: task?.id ?? '',
    role: Role.ROLE_USER,
    parts: [...(parts ?? [textPart('Please.')])],
    metadata: undefined,
    extensions: [upFormatUri],
    referenceTaskIds: [...(given.references ?? [])],
  };
  return {
    tenant: '',
    message,
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately: isPolling,
    },
    metadata: approval === undefined ? undefined : { [upFormatUri]: { approval } },
  };
};

/** What a client says over the wire. */
export const talk = (client: Client) => ({
  send: async ({ user = 'ada', ...saying }: Saying = {}): Promise<Task> => {
    const sent = await client.sendMessage(requestOf(saying), optionsFor(user, saying.traceparent));
    if (!('status' in sent)) throw new TypeError('expected a task');
    return sent;
  },
  stream: ({ user = 'ada', ...saying }: Saying = {}) =>
    client.sendMessageStream(requestOf(saying), optionsFor(user, saying.traceparent)),
  get: (id: string, user: string | null = 'ada') => client.getTask({ tenant: '', id }, optionsFor(user)),
  cancel: (id: string, user: string | null = 'ada') =>
    client.cancelTask({ tenant: '', id, metadata: undefined }, optionsFor(user)),
});

export const feedback = (given: UpFeedback): readonly Part[] => [dataPart(given, 'UpFeedback')];

/** The UpFormat messages that a task's status tells. */
export const messagesOf = (task: Task): readonly UpFormatMessage[] =>
  contentOf(task.status?.message?.parts ?? []).marked('UpFormatMessage') as UpFormatMessage[];

/** The message of the question that a task asks. */
export const askedBy = (task: Task): UpFormatMessage => {
  const [message] = messagesOf(task);
  if (message === undefined) throw new TypeError('it asks nothing');
  return message;
};

export const stateOf = ({ status }: Task): string => TaskState[status?.state ?? TaskState.UNRECOGNIZED];

/** What our metadata says of a task. */
export const ours = (task: Task): unknown => task.metadata?.[upFormatUri];
