import * as z from 'zod';
import type { JsonObject } from '../../../schema/formats.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { readWired } from '../../base/boundary/read-json.ts';

/** The parameters of a tool call. */
export interface CallParams {
  readonly [name: string]: unknown;
  readonly name: string;
  readonly arguments: JsonObject;
}

/** A connected client: of `@modelcontextprotocol/client` 2, or `Client` of `@modelcontextprotocol/sdk` 1. */
export interface McpClient {
  listTools(params?: { cursor?: string }, options?: object): Promise<{ tools: readonly unknown[] }>;
  callTool(params: CallParams, second?: unknown, third?: unknown): Promise<unknown>;
  /** Lists one page without compiling schemas. Used instead of `listTools`, if available. */
  readonly request?: (...given: never[]) => Promise<unknown>;
}

/** Returns a client's value as JSON. In-process transports may pass other values. */
export const asWired = readWired;

/** The maximum of a timer. A call has its own deadline, so the SDK's timeout is disabled. */
export const patience = 2_147_483_647;

const Page = z.looseObject({
  tools: z.custom<readonly unknown[]>(Array.isArray, 'expected a list'), // the limit counts them before they are read
  nextCursor: z.string().optional(),
});

/** A page of a listing, whose tools are not parsed yet. */
export type Page = z.infer<typeof Page>;

/** The tool as the SDK needs it. With an `outputSchema`, the SDK would validate results in this thread. */
export interface CalledTool {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** A client, bound to its functions at that time. */
export interface BoundClient {
  /** Fetches a page of the current listing, without a cache. Throws `document_invalid`. */
  readonly page: (cursor: string | undefined, signal?: AbortSignal) => Promise<Page>;
  /** Calls a tool. Returns a server's question instead of answering it in the client. */
  readonly call: (tool: CalledTool, params: CallParams, signal: AbortSignal) => Promise<unknown>;
  /** Returns the name of a function that was replaced; `null` if there is none. */
  readonly replaced: () => string | null;
}

/** Parses a page without its tools. Throws `document_invalid`. */
const readPage = (page: unknown): Page => {
  const read = Page.safeParse(page);
  return read.success ? read.data : parseDocument('tools/list', Page, page);
};

type FunctionName = 'listTools' | 'callTool' | 'request';
type Call = (...given: unknown[]) => Promise<unknown>;

const functions: readonly FunctionName[] = ['listTools', 'callTool', 'request'];

const functionsOf = (client: McpClient): Readonly<Record<FunctionName, Call>> => {
  const unknown = (name: FunctionName) => (): Promise<never> =>
    Promise.reject(new TypeError(`the client has no function ${name}`));
  const entries = functions.map((name) => [name, client[name] ?? unknown(name)]);
  return Object.fromEntries(entries) as Record<FunctionName, Call>; // the signatures of both SDKs differ
};

/**
 * Returns whether the server of a version 2 client has no tools capability: it would answer a listing with an error.
 * Throws if the client is not connected.
 */
const hasNoTools = (client: McpClient): boolean => {
  if (!('getServerCapabilities' in client) || typeof client.getServerCapabilities !== 'function')
    return false;
  const capabilities: unknown = Reflect.apply(client.getServerCapabilities, client, []);
  if (capabilities === undefined)
    throw new TypeError('its client is not connected: await client.connect(transport) first');
  return !isObject(capabilities) || capabilities['tools'] === undefined;
};

/** Binds the functions of a client. Later replacements are not called. */
export const bindClient = (client: McpClient): BoundClient => {
  const bound = functionsOf(client);
  const apply = (name: FunctionName, ...given: unknown[]) => Reflect.apply(bound[name], client, given);
  const isSecond = 'getProtocolEra' in client; // version 1 takes a schema before the options
  // a proxy may create its functions at each access: those cannot be compared
  const steady = functions.filter((name) => client[name] === bound[name]);
  // your own `listTools` may filter tools, so it takes precedence
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
