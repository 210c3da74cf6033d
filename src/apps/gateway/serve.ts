import type { McpRequestContext, Server, ServerContext } from '@modelcontextprotocol/server';
import type { Readable, Writable } from 'node:stream';
import { Identifier, JsonObject } from '../../../schema/index.ts';
import { patience } from '../../adapters/mcp/client.ts';
import { mayElicit } from '../../adapters/mcp/context.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { causeOf, isCharterError } from '../../base/errors.ts';
import { createFace, type App, type Face } from '../../optional/server/face.ts';
import { createHostGate } from '../../optional/server/host-gate.ts';
import { problem } from '../../optional/server/problem.ts';
import { local, type Gateway } from './gateway.ts';
import type { PassedOn, Seen } from './passed-on.ts';
import { loadServer, loadServerStdio } from './peers.ts';
import type { Charter } from './read-charter.ts';
import { metadataPaths, type Door } from './entrance.ts';
import { errs, type Reply } from './replies.ts';
import { isAsking, type Asking, type Seat } from './seat.ts';

const serveResources = (server: Server, { list, read }: PassedOn, seen: Seen): void => {
  server.registerCapabilities({ resources: {} });
  server.setRequestHandler(
    'resources/list',
    async (_, { mcpReq: { signal } }) => ({ resources: await list('resources', seen, signal) }) as never, // as their servers sent them
  );
  server.setRequestHandler(
    'resources/templates/list',
    async (_, { mcpReq: { signal } }) =>
      ({ resourceTemplates: await list('templates', seen, signal) }) as never,
  );
  server.setRequestHandler(
    'resources/read',
    async ({ params }, { mcpReq: { signal } }) => (await read(params.uri, seen, signal)) as never,
  );
};

const servePrompts = (server: Server, { list, prompt }: PassedOn, seen: Seen): void => {
  server.registerCapabilities({ prompts: {} });
  server.setRequestHandler(
    'prompts/list',
    async (_, { mcpReq: { signal } }) => ({ prompts: await list('prompts', seen, signal) }) as never,
  );
  server.setRequestHandler(
    'prompts/get',
    async ({ params }, { mcpReq: { signal } }) =>
      (await prompt(params.name, params.arguments ?? {}, seen, signal)) as never,
  );
};

type Request = ServerContext['mcpReq'];

/** The name of the only form of a call. */
const formName = 'answer';
/** The questions of one call, as many as the SDK allows. */
const mostRounds = 8;

/** Returns a question as a result, which the client repeats the call with (MCP 2026-07-28). */
const asAsked = ({ question, form }: Asking) => ({
  resultType: 'input_required',
  inputRequests: { [formName]: { method: 'elicitation/create', params: form } },
  requestState: question,
});

/** Returns what the person at a client did with a form; a client that failed to show it is one where no one answered. */
const shownAt = ({ send, signal }: Request, { form }: Asking): Promise<unknown> =>
  send({ method: 'elicitation/create', params: { ...form } }, { signal, timeout: patience }).catch(
    (error: unknown) => {
      if (signal.aborted) throw error;
      return { action: 'cancel' };
    },
  );

/** Makes a call with what the client returned of a form. Before MCP 2026-07-28 it stays open while its questions are asked. */
const answered = async (
  made: (answer: Seat['answer']) => Promise<Reply | Asking>,
  request: Request,
): Promise<Reply | Asking> => {
  const { envelope, inputResponses } = request;
  const state = request.requestState();
  // the question is checked to be one of this call, wherever the client has it from
  let reply = await made(
    typeof state === 'string' ? { question: state, response: inputResponses?.[formName] } : null,
  );
  if (envelope !== undefined) return reply;
  for (let round = 0; isAsking(reply); round += 1) {
    const response = round < mostRounds ? await shownAt(request, reply) : { action: 'cancel' };
    reply = await made({ question: reply.question, response });
  }
  return reply;
};

/** Where a client names the session of its request: in `_meta`, else in a header. It parts tasks, and is no one's identity. */
const sessionMeta = 'agentcharter/session';
const sessionHeader = 'agentcharter-session';

const sessionIn = ({ _meta: meta }: Request, { requestInfo }: McpRequestContext): string | null =>
  parseDocument(
    `${sessionMeta} in _meta, or the header ${sessionHeader}`,
    Identifier.nullable(),
    meta?.[sessionMeta] ?? requestInfo?.headers.get(sessionHeader) ?? null,
  );

/** Returns an MCP server for one client of a gateway. */
const serverFor = async (
  gateway: Gateway,
  client: string,
  around: McpRequestContext,
  say: (line: string) => void,
): Promise<Server> => {
  const { Server: SdkServer } = await loadServer();
  const { list, call, seesAllOf, asks } = gateway.served(client);
  const { resources, prompts } = gateway.others;
  const server = new SdkServer({ name: 'agentcharter', version: '1' }, { capabilities: { tools: {} } });
  if (resources.some(seesAllOf)) serveResources(server, gateway.others, seesAllOf);
  if (prompts.some(seesAllOf)) servePrompts(server, gateway.others, seesAllOf);
  server.setRequestHandler('tools/list', async () => ({ tools: [...list()] }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { mcpReq } = context;
    const given = JsonObject.parse(params.arguments ?? {});
    const by = asks !== null && mayElicit({ server }, context) ? asks : null;
    try {
      const session = sessionIn(mcpReq, around);
      const made = (answer: Seat['answer']) =>
        call(params.name, given, {
          signal: mcpReq.signal,
          session,
          seat: by === null ? null : { by, answer },
        });
      const reply = await answered(made, mcpReq);
      if (isAsking(reply)) return asAsked(reply) as never; // typed for forms of the SDK's own
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
  const handle = serve((around) => serverFor(gateway, client, around, say), {
    transport: new StdioServerTransport(streams.input, streams.output),
    onerror: (error) => say(causeOf(error)),
  });
  return () => handle.close();
};

/** Serves the clients of the file over streamable HTTP, on this machine only. */
export const serveHttp = async (
  gateway: Gateway,
  { admit, metadata }: Door,
  say: (line: string) => void,
): Promise<Face> => {
  const { createMcpHandler } = await loadServer();
  const handler = createMcpHandler(
    (around) => serverFor(gateway, around.authInfo?.clientId ?? '', around, say),
    {
      onerror: (error) => say(causeOf(error)),
    },
  );
  const refusalOf = createHostGate({ hosts: undefined, serves: 'programs' });
  const addTo = (app: App): void => {
    app.all('/mcp', async ({ req: { raw }, env }) => {
      const refusal = refusalOf(raw, env.given);
      if (refusal !== null) return problem(refusal.code, refusal.detail);
      const client = await admit(raw);
      if (typeof client !== 'string') return client;
      return handler.fetch(raw, { authInfo: { clientId: client, token: '', scopes: [] } });
    });
    if (metadata !== null)
      for (const path of metadataPaths)
        app.get(path, ({ req: { raw }, env }) => {
          const refusal = refusalOf(raw, env.given);
          return refusal === null ? metadata(raw) : problem(refusal.code, refusal.detail);
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
