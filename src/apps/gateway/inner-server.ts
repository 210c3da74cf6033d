import type { Client, RequestOptions, Transport } from '@modelcontextprotocol/client';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import type { JsonObject } from '../../../schema/index.ts';
import { keyMeta, type McpClient } from '../../adapters/mcp/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { causeOf } from '../../base/errors.ts';
import type { Clock } from '../../base/ports/clock.ts';
import type { Ids } from '../../base/ports/ids.ts';
import type { Policy } from '../../base/ports/policy.ts';
import { shownName } from '../../base/text/foreign-text.ts';
import type { ServerTerms } from './charter-file.ts';
import { loadClient, loadClientStdio } from './peers.ts';
import { createResults, type Results } from './results.ts';
import { withVariables, type Charter, type Variables } from './read-charter.ts';

/** A definition as a server lists it. */
export type Definition = JsonObject & { readonly name: string };

/** What replaces the listing of a server while its tools are bound: some of its definitions, or all of a server that is down. */
export interface Replaced {
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly isWhole: boolean;
}

/** A server behind the gateway. It is started at the first use, and again at the next use after it ended. */
export interface InnerServer {
  readonly name: string;
  /** A client that outlives its connections. */
  readonly client: McpClient;
  /** Starts it, if it does not run. Throws why it does not start. */
  readonly start: () => Promise<void>;
  /** Does work under a listing with some definitions replaced. Returns those that the server listed meanwhile. */
  readonly listing: <Result>(
    replaced: Replaced,
    work: () => Promise<Result>,
  ) => Promise<{ readonly result: Result; readonly listed: ReadonlyMap<string, Definition> }>;
  /** Whether it says that it has such things. It is started, if it does not run. */
  readonly has: (what: 'resources' | 'prompts') => Promise<boolean>;
  /** Asks for something other than tools. Throws its own error as one. */
  readonly request: (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  /** Calls a tool. Throws its own error as one. */
  readonly call: (tool: string, given: JsonObject, options: CallOptions) => Promise<unknown>;
  /** What its writes returned. */
  readonly results: Results;
  readonly close: () => Promise<void>;
}

interface CallOptions {
  readonly key: string;
  readonly signal: AbortSignal;
}

/** How often a server is started in a minute. */
const mostStarts = 5;
const minute = 60_000;
/** Milliseconds in which a server must have started. */
const startTime = 30_000;

const isDefinition = (value: unknown): value is Definition =>
  isObject(value) && typeof value['name'] === 'string';

const Listed = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional() });
type Listed = z.infer<typeof Listed>;

const Answer = z.custom<JsonObject>(isObject, 'expected an object'); // the SDK parsed it as JSON

const Failed = z.looseObject({
  isError: z.literal(true),
  content: z.array(z.looseObject({ text: z.string().optional() })).default([]),
});

/** Where the settings of a server come from, and where its words go. */
export interface Surroundings {
  readonly charter: Charter;
  readonly variables: Variables;
  readonly say: (line: string) => void;
  /** Whether the policy of the file stops nothing, and only says what it would have done. */
  readonly isShadow: boolean;
  /** The policy that the file names; `null` for the table in it. */
  readonly policy: Policy | null;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Returns a function that makes transports to a server. It throws `document_invalid` for a variable that is not set. */
const transportsTo = (name: string, terms: ServerTerms, { charter, variables, say }: Surroundings) => {
  const filled = (member: string, values: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(values).map(([key, text]) => [
        key,
        withVariables(text, variables, charter, ['servers', name, member, key]),
      ]),
    );
  if ('url' in terms) {
    return async (): Promise<Transport> => {
      const headers = filled('headers', terms.headers);
      const { StreamableHTTPClientTransport } = await loadClient();
      return new StreamableHTTPClientTransport(new URL(terms.url), { requestInit: { headers } });
    };
  }
  const { command, args } = terms;
  const cwd = resolve(dirname(charter.file), terms.cwd ?? '.');
  return async (): Promise<Transport> => {
    const env = filled('env', terms.env);
    const { StdioClientTransport, getDefaultEnvironment } = await loadClientStdio();
    const made = new StdioClientTransport({
      command,
      args,
      cwd,
      env: { ...getDefaultEnvironment(), ...env },
      stderr: 'pipe',
    });
    made.stderr?.on('data', (chunk: unknown) => {
      for (const line of String(chunk).trimEnd().split('\n')) say(`${name}: ${line}`);
    });
    return made;
  };
};

/** Returns a server of the file, which is not started yet. */
export const innerServer = (name: string, terms: ServerTerms, around: Surroundings): InnerServer => {
  const transportTo = transportsTo(name, terms, around);
  let starts: readonly number[] = [];
  let live: Promise<Client> | null = null;
  let running: Client | null = null;
  let replaced: Replaced = { definitions: new Map(), isWhole: false };
  let listed = new Map<string, Definition>();
  /** Pages that hold until the program says that its tools changed, for a minute at most. */
  let pages = new Map<string, { readonly page: Listed; readonly at: number }>();
  let isClosed = false;

  const open = async (): Promise<Client> => {
    if (isClosed) throw new Error('the gateway is closing');
    const now = around.clock.now();
    starts = [...starts.filter((at) => now - at < minute), now];
    if (starts.length > mostStarts)
      throw new Error(
        `server ${name} ended ${mostStarts} times within a minute: it is not started again before the next`,
      );
    const { Client: SdkClient, ProtocolError, ProtocolErrorCode } = await loadClient();
    // no capability: what a server asks of a model, of a person or of the files here is refused
    const client = new SdkClient(
      { name: 'agentcharter', version: '1' },
      { capabilities: {}, ...('url' in terms && { versionNegotiation: { mode: 'auto' as const } }) },
    );
    pages = new Map();
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      pages = new Map();
    });
    const transport = await transportTo();
    try {
      await client.connect(transport, { timeout: startTime });
    } catch (cause) {
      await client.close().catch(() => {}); // a program that does not answer is not left running
      throw new Error(`server ${name} does not start: ${causeOf(cause)}`, { cause });
    }
    running = client;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no other way
    client.onclose = () => {
      if (running !== client) return;
      [running, live] = [null, null];
      if (!isClosed) around.say(`${name}: it ended, and is started again at the next call`);
    };
    client.fallbackRequestHandler = async ({ method }) => {
      const why = `the gateway answers no ${shownName(method)}: it passes requests of servers on to no one`;
      around.say(`${name}: ${why}`);
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, why);
    };
    return client;
  };

  const connected = (): Promise<Client> => {
    live ??= open().catch((error: unknown) => {
      live = null;
      throw error;
    });
    return live;
  };

  /**
   * Asks for a page, unless it holds. A connection that does not answer may be that of a server that was started again: the
   * next one is asked too. For a server at a URL the request also shows that the connection lives, so no page of it is kept.
   */
  const listedBy = async (params: { cursor?: string }, options: object, isAgain = false): Promise<Listed> => {
    const server = await connected();
    const { tools } = server.getServerCapabilities() ?? {};
    if (tools === undefined) return { tools: [] };
    const [kept, { cursor = '' }] = [pages, params];
    const known = kept.get(cursor);
    if (known !== undefined && around.clock.now() - known.at < minute) return known.page;
    try {
      const page = await server.request({ method: 'tools/list', params }, Listed, options);
      // a change that was said meanwhile has replaced `pages`
      if (tools.listChanged === true && !('url' in terms)) kept.set(cursor, { page, at: around.clock.now() });
      return page;
    } catch (error) {
      if (running === server) [running, live] = [null, null];
      await server.close().catch(() => {});
      if (isAgain) throw error;
      return listedBy(params, options, true);
    }
  };

  /** Makes a request, again in a new connection if there was no answer. */
  const requested = async (
    method: string,
    params: JsonObject,
    signal: AbortSignal,
    isAgain = false,
  ): Promise<JsonObject> => {
    const server = await connected();
    try {
      return await server.request({ method, params }, Answer, { signal });
    } catch (error) {
      const { ProtocolError } = await loadClient();
      if (isAgain || signal.aborted || error instanceof ProtocolError) throw error;
      if (running === server) [running, live] = [null, null];
      await server.close().catch(() => {});
      return requested(method, params, signal, true);
    }
  };

  /** Fetches a page of the listing. While tools are bound, some of its definitions are replaced. */
  const page = async (cursor: string | undefined, options: object): Promise<Listed> => {
    if (replaced.isWhole) return { tools: [...replaced.definitions.values()] };
    const { tools, ...rest } = await listedBy(cursor === undefined ? {} : { cursor }, options);
    const shown = tools.map((tool) => {
      if (!isDefinition(tool)) return tool;
      listed.set(tool.name, tool);
      return replaced.definitions.get(tool.name) ?? tool;
    });
    return { ...rest, tools: shown };
  };

  const client: McpClient & { readonly getProtocolEra: () => unknown } = {
    listTools: ({ cursor } = {}, options = {}) => page(cursor, options),
    // the options are of version 2, which `getProtocolEra` says
    callTool: async (params, options) => (await connected()).callTool(params, options as RequestOptions),
    getProtocolEra: () => running?.getProtocolEra(),
  };

  return {
    name,
    client,
    start: async () => void (await connected()),
    has: async (what) => (await connected()).getServerCapabilities()?.[what] !== undefined,
    request: requested,
    results: createResults(),
    listing: async (instead, work) => {
      [replaced, listed] = [instead, new Map()];
      try {
        return { result: await work(), listed };
      } finally {
        replaced = { definitions: new Map(), isWhole: false };
      }
    },
    call: async (tool, given, { key, signal }) => {
      const live = await connected();
      const result: unknown = await live.callTool(
        { name: tool, arguments: given, _meta: { [keyMeta]: key } },
        { signal },
      );
      const failed = Failed.safeParse(result).data;
      if (failed !== undefined)
        throw new Error(
          failed.content.flatMap(({ text = [] }) => text).join(' ') || 'it answered with an error',
        );
      return result;
    },
    close: async () => {
      isClosed = true;
      await running?.close();
    },
  };
};
