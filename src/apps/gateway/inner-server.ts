import type { Client, RequestOptions, Transport } from '@modelcontextprotocol/client';
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import type { JsonObject } from '../../../schema/index.ts';
import { keyMeta, type McpClient } from '../../adapters/mcp/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { causeOf } from '../../base/errors.ts';
import type { ServerTerms } from './charter-file.ts';
import { loadClient, loadClientStdio } from './peers.ts';
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
  /** Calls a tool. Throws its own error as one. */
  readonly call: (tool: string, given: JsonObject, options: CallOptions) => Promise<unknown>;
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

const Failed = z.looseObject({
  isError: z.literal(true),
  content: z.array(z.looseObject({ text: z.string().optional() })).default([]),
});

/** Where the settings of a server come from, and where its words go. */
export interface Surroundings {
  readonly charter: Charter;
  readonly variables: Variables;
  readonly say: (line: string) => void;
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
  let isClosed = false;

  const open = async (): Promise<Client> => {
    if (isClosed) throw new Error('the gateway is closing');
    const now = Date.now();
    starts = [...starts.filter((at) => now - at < minute), now];
    if (starts.length > mostStarts)
      throw new Error(
        `server ${name} ended ${mostStarts} times within a minute: it is not started again before the next`,
      );
    const { Client: SdkClient } = await loadClient();
    // no capability: what a server asks of a model, of a person or of the files here is refused
    const client = new SdkClient(
      { name: 'agentcharter', version: '1' },
      { capabilities: {}, ...('url' in terms && { versionNegotiation: { mode: 'auto' as const } }) },
    );
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
    return client;
  };

  const connected = (): Promise<Client> => {
    live ??= open().catch((error: unknown) => {
      live = null;
      throw error;
    });
    return live;
  };

  /** Asks for a page. A connection that does not answer may be that of a server that was started again: the next one is asked too. */
  const listedBy = async (params: { cursor?: string }, options: object, isAgain = false): Promise<Listed> => {
    const server = await connected();
    if (server.getServerCapabilities()?.tools === undefined) return { tools: [] };
    try {
      return await server.request({ method: 'tools/list', params }, Listed, options);
    } catch (error) {
      if (running === server) [running, live] = [null, null];
      await server.close().catch(() => {});
      if (isAgain) throw error;
      return listedBy(params, options, true);
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
