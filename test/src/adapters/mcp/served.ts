import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  createMcpHandler,
  createRequestStateCodec,
  McpServer,
  type AuthInfo,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as FirstTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as FirstServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { registerTaskTool, type TaskToolOptions } from '../../../../src/adapters/mcp/index.ts';
import type { Orchestrator } from '../../../../src/index.ts';
import { identity } from '../../core/shell/scripted.ts';

const info = { name: 'desk', version: '1' };
export const Input = z.object({ topic: z.string() });
type Input = z.infer<typeof Input>;

/** What a client shows a person, and what that person fills in. */
export interface Shown {
  readonly message: string;
  readonly requestedSchema: { readonly properties: Record<string, unknown> };
}
export type Person = (shown: Shown) => object;

export interface Server {
  readonly person?: Person | undefined;
  readonly options?: Partial<TaskToolOptions<Input>>;
  readonly clientId?: string;
  readonly ttlSeconds?: number;
}

/** A codec of its own key. */
export const codec = (ttlSeconds = 600) =>
  createRequestStateCodec({ key: 'a key of at least thirty-two bytes, for tests', ttlSeconds });

const optionsOf = (given: Server): TaskToolOptions<Input> => ({
  name: 'research',
  description: 'Finds out.',
  taskClass: 'work',
  input: Input,
  identity: ({ authInfo }) => ({ ...identity, agent_id: authInfo?.clientId ?? 'recommender' }),
  by: ({ authInfo }) => `kim${authInfo === undefined ? '' : ` of ${authInfo.clientId}`}`,
  states: codec(given.ttlSeconds),
  answerAt: 'https://console.example',
  ...given.options,
});

const capabilities = ({ person }: Server) => ({ capabilities: person ? { elicitation: {} } : {} });

const second = (given: Server, more: object = {}): Client => {
  const client = new Client(info, { ...capabilities(given), ...more });
  const { person } = given;
  if (person !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => person(params as never) as never);
  onTestFinished(() => client.close());
  return client;
};

const first = (given: Server): FirstClient => {
  const client = new FirstClient(info, capabilities(given));
  const { person } = given;
  if (person !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => person(params as never) as never);
  onTestFinished(() => client.close());
  return client;
};

const secondServer = (orchestrator: Orchestrator, given: Server, verifies = true): McpServer => {
  const options = optionsOf(given);
  const { states } = options;
  const verify = (state: string, context: ServerContext) => states?.verify(state, context as never);
  const server = new McpServer(info, verifies ? { requestState: { verify } } : {});
  registerTaskTool(server, orchestrator, options);
  return server;
};

const authOf = ({ clientId }: Server): { authInfo: AuthInfo } | undefined =>
  clientId === undefined ? undefined : { authInfo: { token: 't', clientId, scopes: [] } };

/** As a real `fetch` rejects where its request is given up. */
const cut = (signal?: AbortSignal | null): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('cut'))));

/** MCP 2026-07-28: a server for each request, and a client that is asked in results. */
export const modern = async (orchestrator: Orchestrator, given: Server, verifies = true): Promise<Client> => {
  const handler = createMcpHandler(() => secondServer(orchestrator, given, verifies));
  const client = second(given, { versionNegotiation: { mode: 'auto' } });
  const fetch = (url: string | URL, init?: RequestInit) =>
    Promise.race([handler.fetch(new Request(url, init), authOf(given)), cut(init?.signal)]);
  await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch }));
  onTestFinished(() => handler.close());
  return client;
};

/** MCP 2025-11-25, between these two SDKs. */
export const legacy = async (orchestrator: Orchestrator, given: Server, client: 'first' | 'second') => {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const made = client === 'first' ? first(given) : second(given);
  await secondServer(orchestrator, given).connect(theirs);
  await made.connect(ours);
  return made;
};

/** Both of version 1. */
export const oldest = async (orchestrator: Orchestrator, given: Server) => {
  const [ours, theirs] = FirstTransport.createLinkedPair();
  const server = new FirstServer(info);
  const { states: _states, ...options } = optionsOf(given);
  registerTaskTool(server, orchestrator, options);
  const client = first(given);
  await server.connect(theirs);
  await client.connect(ours);
  return client;
};

/** A way to be served, and to call. */
export const eras = {
  'MCP 2026-07-28': (orchestrator: Orchestrator, given: Server) => modern(orchestrator, given),
  'MCP 2026-07-28, where the server verifies no state': (orchestrator: Orchestrator, given: Server) =>
    modern(orchestrator, given, false),
  'MCP 2025-11-25, client 2': (orchestrator: Orchestrator, given: Server) =>
    legacy(orchestrator, given, 'second'),
  'MCP 2025-11-25, client 1': (orchestrator: Orchestrator, given: Server) =>
    legacy(orchestrator, given, 'first'),
  'MCP 2025-11-25, client and server 1': (orchestrator: Orchestrator, given: Server) =>
    oldest(orchestrator, given),
} as const;

export const accept = (content: object) => ({ action: 'accept', content });
