import * as z from 'zod';
import type { JsonObject } from '../../../schema/formats.ts';
import { readJson } from '../../boundary/read-json.ts';
import { parseDocument } from '../../boundary/parse-document.ts';

/** What a call of a server's tool says. */
export interface CallParams {
  readonly [name: string]: unknown;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** A connected client: that of `@modelcontextprotocol/client` 2, or the `Client` of `@modelcontextprotocol/sdk` 1. */
export interface McpClient {
  listTools(params?: { cursor?: string }, options?: object): Promise<{ tools: readonly unknown[] }>;
  callTool(params: CallParams, second?: unknown, third?: unknown): Promise<unknown>;
}

/** What a client hands on, as it would stand on the wire: transports within one process pass on more than JSON. */
export const asWired = (document: string, value: unknown): unknown =>
  readJson(document, JSON.stringify(value) ?? 'null');

/** The longest that a timer waits: a call is given up by its own deadline, and not by the SDK's. */
export const patience = 2_147_483_647;

/** The SDK of version 1 takes a schema before the options. */
const isSecondSdk = (client: McpClient): boolean => 'getProtocolEra' in client;

/** Calls a tool; a server's question comes back as such, and is not answered by the client. */
export const send = (client: McpClient, params: CallParams, signal: AbortSignal): Promise<unknown> => {
  const options = { signal, timeout: patience, allowInputRequired: true };
  return isSecondSdk(client) ? client.callTool(params, options) : client.callTool(params, undefined, options);
};

const Page = z.object({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
const mostPages = 100;

/** What a server lists now, whatever its client remembers. Throws `document_invalid` for a list that does not end. */
export const listedBy = async (client: McpClient, signal?: AbortSignal): Promise<readonly unknown[]> => {
  const options = { cacheMode: 'refresh', ...(signal && { signal }) };
  const tools: unknown[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? undefined : { cursor }, options);
    const read = parseDocument('tools/list', Page, page);
    tools.push(...read.tools);
    cursor = read.nextCursor;
    if (cursor !== undefined && (seen.has(cursor) || seen.size === mostPages))
      parseDocument('tools/list', Ended, cursor);
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return tools;
};

const Ended = z.never(`expected a list that ends, within ${mostPages} pages`);
