import type { Server } from '@modelcontextprotocol/server';
import type { Readable, Writable } from 'node:stream';
import { JsonObject } from '../../../schema/index.ts';
import { isSameSecret } from '../../base/boundary/secret.ts';
import { causeOf, isCharterError } from '../../base/errors.ts';
import { createFace, type App, type Face } from '../../optional/server/face.ts';
import { createHostGate } from '../../optional/server/host-gate.ts';
import { problem } from '../../optional/server/problem.ts';
import { local, type Gateway } from './gateway.ts';
import { loadServer, loadServerStdio } from './peers.ts';
import { withVariables, type Charter, type Variables } from './read-charter.ts';
import { errs } from './replies.ts';

/** Returns an MCP server for one client of a gateway. */
const serverFor = async (gateway: Gateway, client: string, say: (line: string) => void): Promise<Server> => {
  const { Server: SdkServer } = await loadServer();
  const { list, call } = gateway.served(client);
  const server = new SdkServer({ name: 'agentcharter', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', async () => ({ tools: [...list()] }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    try {
      const reply = await call(params.name, JsonObject.parse(params.arguments ?? {}), mcpReq.signal);
      return { ...reply, content: [...reply.content] } as never; // blocks of content as their server sent them
    } catch (error) {
      if (!mcpReq.signal.aborted) say(causeOf(error));
      // what it says of our own errors is for callers; others may quote what no client should read
      return errs(
        isCharterError(error) ? error.message : 'The gateway failed. Its own messages say why.',
      ) as never;
    }
  });
  return server;
};

/** Serves one client over stdio, until its input ends. Returns a function that ends it. */
export const serveStdio = async (
  gateway: Gateway,
  { terms }: Charter,
  streams: { readonly input: Readable; readonly output: Writable },
  say: (line: string) => void,
): Promise<() => Promise<void>> => {
  const { serveStdio: serve, StdioServerTransport } = await loadServerStdio();
  const client = terms.clients[0]?.name ?? local;
  const handle = serve(() => serverFor(gateway, client, say), {
    transport: new StdioServerTransport(streams.input, streams.output),
    onerror: (error) => say(causeOf(error)),
  });
  return () => handle.close();
};

/** A client of HTTP. */
export interface Entrance {
  readonly name: string;
  readonly token: string;
}

/** Returns the clients of HTTP with their tokens. Throws `document_invalid` for a file without, with what to add. */
export const entrancesOf = (charter: Charter, variables: Variables): readonly Entrance[] => {
  const { clients } = charter.terms;
  if (clients.length === 0) {
    const line = 'clients: [{ name: desk, token: "${DESK_TOKEN}" }]';
    throw charter.fault([
      { path: '/clients', message: `--http needs clients, each with a token. Add ${line}` },
    ]);
  }
  const values = new Set<string>();
  return clients.map(({ name, token }, at) => {
    if (token === undefined)
      throw charter.fault([
        { path: `/clients/${at}`, message: `--http needs a token of ${name}. Add token: "\${NAME}"` },
      ]);
    const value = withVariables(token, variables, charter, ['clients', String(at), 'token']);
    if (!/^[\w.~+/-]{16,}=*$/.test(value))
      throw charter.fault([
        { path: `/clients/${at}/token`, message: 'must have 16 or more letters, digits and -._~+/' },
      ]);
    if (values.has(value))
      throw charter.fault([{ path: `/clients/${at}/token`, message: 'is the token of another client too' }]);
    values.add(value);
    return { name, token: value };
  });
};

const bearer = /^bearer +(\S+) *$/i;

/** Serves the clients of the file over streamable HTTP, each under its token, on this machine only. */
export const serveHttp = async (
  gateway: Gateway,
  entrances: readonly Entrance[],
  say: (line: string) => void,
): Promise<Face> => {
  const { createMcpHandler } = await loadServer();
  const handler = createMcpHandler(({ authInfo }) => serverFor(gateway, authInfo?.clientId ?? '', say), {
    onerror: (error) => say(causeOf(error)),
  });
  const refusalOf = createHostGate({ hosts: undefined, serves: 'programs' });
  const addTo = (app: App): void => {
    app.all('/mcp', async ({ req: { raw }, env }) => {
      const refusal = refusalOf(raw, env.given);
      if (refusal !== null) return problem(refusal.code, refusal.detail);
      const [, given = ''] = bearer.exec(raw.headers.get('authorization') ?? '') ?? [];
      const client = entrances.find(({ token }) => isSameSecret(token, given));
      if (client === undefined)
        return problem(
          'unauthenticated',
          'Expected the token of a client as Authorization: Bearer.',
          {},
          {
            'www-authenticate': 'Bearer',
          },
        );
      return handler.fetch(raw, { authInfo: { clientId: client.name, token: '', scopes: [] } });
    });
    app.notFound(() => problem('not_found', 'The gateway is at /mcp.'));
  };
  return createFace({
    name: 'gateway',
    addTo,
    readiness: gateway.readiness,
    headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    onError: (error) => say(causeOf(error)),
    beforeClose: handler.close,
  });
};
