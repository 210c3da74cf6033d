import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { createElicitations } from '../../../../src/adapters/mcp/index.ts';

const info = { name: 'desk', version: '1' };
const Confirmed = z.object({ city: z.string(), nights: z.number() });
const Name = z.object({ name: z.string() });

/** A server that asks twice in its results before it does anything. */
export const inn = (done: unknown[]) => () => {
  const server = new McpServer(info);
  const hints = { readOnlyHint: false, destructiveHint: false };
  server.registerTool('book', { inputSchema: z.object({}), annotations: hints }, async (_, { mcpReq }) => {
    const held = mcpReq.requestState<string>();
    const stay = held === undefined ? undefined : Confirmed.safeParse(JSON.parse(held)).data;
    const where = acceptedContent(mcpReq.inputResponses, 'where', Confirmed);
    if (stay === undefined && where === undefined)
      return inputRequired({
        inputRequests: { where: inputRequired.elicit({ message: 'Where?', requestedSchema: Confirmed }) },
        requestState: '{}',
      });
    const who = acceptedContent(mcpReq.inputResponses, 'who', Name);
    if (who === undefined)
      return inputRequired({
        inputRequests: { who: inputRequired.elicit({ message: 'Who?', requestedSchema: Name }) },
        requestState: JSON.stringify(where ?? stay),
      });
    done.push({ ...stay, ...who });
    return { content: [{ type: 'text', text: 'booked' }] };
  });
  server.registerTool('guess', { inputSchema: z.object({}), annotations: hints }, async () =>
    inputRequired({ inputRequests: { word: inputRequired.createMessage({ messages: [], maxTokens: 1 }) } }),
  );
  return server;
};

/** A client of MCP 2026-07-28. */
export const guest = async (server: () => McpServer): Promise<Client> => {
  const handler = createMcpHandler(server);
  const capabilities = { elicitation: {}, sampling: {} };
  const client = new Client(info, { capabilities, versionNegotiation: { mode: 'auto' } });
  const fetch = (url: string | URL, init?: RequestInit) => handler.fetch(new Request(url, init));
  await client.connect(new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), { fetch }));
  onTestFinished(() => client.close());
  return client;
};

/** A server of MCP 2025-11-25 that asks twice by requests of its own, and only then does something. */
export const oldInn = (done: unknown[]) => () => {
  const server = new McpServer(info);
  const annotations = { readOnlyHint: false, destructiveHint: false };
  server.registerTool('book', { inputSchema: z.object({}), annotations }, async () => {
    const answers: unknown[] = [];
    for (const message of ['Where?', 'Who?']) {
      const properties = { name: { type: 'string' as const } };
      const requestedSchema = { type: 'object' as const, properties, required: ['name'] };
      const { action, content } = await server.server.elicitInput({ message, requestedSchema });
      if (action !== 'accept') return { content: [{ type: 'text', text: 'not booked' }] };
      answers.push(content?.['name']);
    }
    done.push(answers);
    return { content: [{ type: 'text', text: 'booked' }] };
  });
  return server;
};

/** A client of MCP 2025-11-25, and where its server's requests go. */
export const oldGuest = async (server: () => McpServer) => {
  const elicitations = createElicitations();
  const client = new Client(info, { capabilities: { elicitation: {} } });
  client.setRequestHandler('elicitation/create', elicitations.answer);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server().connect(theirs);
  await client.connect(ours);
  onTestFinished(() => client.close());
  return { client, elicitations };
};
