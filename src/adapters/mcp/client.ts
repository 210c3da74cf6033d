import * as z from 'zod';
import type { JsonObject } from '../../../schema/formats.ts';
import { parseDocument } from '../../boundary/parse-document.ts';
import { readWired } from '../../boundary/read-json.ts';

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
  /** Lists one page at a time, and compiles no schema. Used in place of the SDK's `listTools` if the client has it. */
  readonly request?: (...given: never[]) => Promise<unknown>;
}

/** What a client hands on, as it would stand on the wire: transports within one process pass on more than JSON. */
export const asWired = readWired;

/** The longest that a timer waits: a call is given up by its own deadline, and not by the SDK's. */
export const patience = 2_147_483_647;

const Page = z.looseObject({
  tools: z.custom<readonly unknown[]>(Array.isArray, 'expected a list'), // however many: they are counted first
  nextCursor: z.string().optional(),
});

/** A page of a listing. Its tools are not read yet. */
export type Page = z.infer<typeof Page>;

/** The tool that is called, as far as the SDK needs it: with an `outputSchema`, it would check the result in this thread. */
export interface CalledTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** A client as it was when its tools were bound. */
export interface BoundClient {
  /** One page of what its server lists now, whatever the client remembers. Throws `document_invalid`. */
  readonly page: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page>;
  /** Calls a tool; a server's question comes back as such, and is not answered by the client. */
  readonly call: (tool: CalledTool, params: CallParams, signal: AbortSignal) => Promise<unknown>;
  /** The function of the client that is not the one that was bound; `null` if all are. */
  readonly replaced: () => string | null;
}

/** Reads a page, and leaves its tools as they are. Throws `document_invalid`. */
const readPage = (page: unknown): Page => {
  const read = Page.safeParse(page);
  return read.success ? read.data : parseDocument('tools/list', Page, page);
};

type Held = 'listTools' | 'callTool' | 'request';
type Call = (...given: unknown[]) => Promise<unknown>;

const functions: readonly Held[] = ['listTools', 'callTool', 'request'];

const functionsOf = (client: McpClient): Readonly<Record<Held, Call>> => {
  const unknown = (name: Held) => (): Promise<never> =>
    Promise.reject(new TypeError(`the client has no function ${name}`));
  const held = functions.map((name) => [name, client[name] ?? unknown(name)]);
  return Object.fromEntries(held) as Record<Held, Call>; // of these names; both SDKs differ in what they take
};

/** Whether a client of version 2 is connected to a server without tools: asked for them, it would answer with an error. */
const hasNoTools = (client: McpClient): boolean =>
  'getServerCapabilities' in client &&
  typeof client.getServerCapabilities === 'function' &&
  Reflect.apply(client.getServerCapabilities, client, [])?.tools === undefined;

/** Holds on to the functions of a client: what is put in their place later is not called. */
export const bindClient = (client: McpClient): BoundClient => {
  const bound = functionsOf(client);
  const apply = (name: Held, ...given: unknown[]) => Reflect.apply(bound[name], client, given);
  const isSecond = 'getProtocolEra' in client; // version 1 takes a schema before the options of a call
  // a proxy may make its functions anew each time: those cannot be told apart
  const steady = functions.filter((name) => client[name] === bound[name]);
  // a host that put its own list in place of the SDK's may leave tools out
  const isPaged = client.request !== undefined && !Object.hasOwn(client, 'listTools');

  const listed = (cursor: string | undefined, options: object): Promise<unknown> => {
    const params = cursor === undefined ? {} : { cursor };
    if (!isPaged)
      return apply('listTools', cursor === undefined ? undefined : params, {
        ...options,
        cacheMode: 'refresh',
      });
    if (isSecond && hasNoTools(client)) return Promise.resolve({ tools: [] });
    return apply('request', { method: 'tools/list', params }, Page, options);
  };

  return {
    page: async (cursor, signal) => readPage(await listed(cursor, { ...(signal && { signal }) })),
    call: ({ name, inputSchema }, params, signal) => {
      const options = { signal, timeout: patience, allowInputRequired: true };
      return isSecond
        ? apply('callTool', params, { ...options, toolDefinition: { name, inputSchema } })
        : apply('callTool', params, undefined, options);
    },
    replaced: () => steady.find((name) => client[name] !== bound[name]) ?? null,
  };
};
