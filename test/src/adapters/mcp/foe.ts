import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { Server } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';

const info = { name: 'foe', version: '1' };

/** What a server says of a tool, or something else. */
export type Listed = unknown;

/** A server that lists what it likes, on as many pages, and answers as it likes. */
export interface Foe {
  pages: readonly (readonly Listed[])[];
  answer: object;
  /** The pages that it was asked for. */
  readonly listed: number[];
  /** The names of the tools that were called. */
  readonly called: string[];
}

export const listedTool = (name: string, more: object = {}) => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
});

/** So many tools, each with its name and a schema. */
export const crowd = (size: number, from = 0) =>
  Array.from({ length: size }, (_, at) => listedTool(`tool_${from + at}`));

/** A server of that kind, and a client of either SDK that is connected to it. */
export const foeOf = async (pages: Foe['pages'], sdk: 'first' | 'second' = 'second') => {
  const foe: Foe = { pages, answer: { content: [] }, listed: [], called: [] };
  const server = new Server(info, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', ({ params }) => {
    const at = Number(params?.cursor ?? 0);
    foe.listed.push(at);
    const isLast = at + 1 === foe.pages.length;
    return { tools: foe.pages[at] ?? [], ...(!isLast && { nextCursor: String(at + 1) }) } as never;
  });
  server.setRequestHandler('tools/call', ({ params }) => {
    foe.called.push(params.name);
    return foe.answer as never;
  });
  const client = sdk === 'first' ? new FirstClient(info) : new Client(info);
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  await client.connect(ours);
  onTestFinished(() => client.close());
  return { client, foe };
};
