import type { IncomingMessage, ServerResponse } from 'node:http';
import { targetIn } from '../../boundary/request.ts';
import { createServers } from '../../boundary/servers.ts';
import type { Guard } from '../../guard/guard.ts';
import { createAccess, ownOrPerson, type Access, type MayRead } from './access.ts';
import { readBody } from './body.ts';
import { isAgent, readCaller, type Caller } from './caller.ts';
import { sendEvents } from './events.ts';
import { challenge, createGate, type GateOptions } from './gate.ts';
import { missing, problem, refused } from './problem.ts';
import { send, type Reply, type Text } from './reply.ts';
import type { Asked, Route } from './route.ts';
import { routeTo } from './router.ts';

/** What a wire is made of beside its guard. */
export interface WireOptions extends GateOptions {
  /**
   * Names whose request it is, as the host authenticated it: exactly `{ agent }` or `{ person }`, or `null` for no one (401).
   * For anything else the caller gets 500, and `onError` is told. What a body says of it is never read.
   */
  readonly identity: (request: IncomingMessage) => Caller | null | Promise<Caller | null>;
  /**
   * Who reads which runs; by default an agent those that it began, and a person all. A person answers what they may read, if
   * `mayRespond` of the guard lets them.
   */
  readonly mayRead?: MayRead;
  /** Milliseconds that a request with `waits` waits in place for people; 25 seconds where left out. */
  readonly patience?: number;
  /** Told of errors that are not the caller's. */
  readonly onError?: (error: unknown) => void;
}

/** A guard for agents of any language, over HTTP and JSON. */
export interface Wire extends AsyncDisposable {
  /** To be mounted in a server of the host's: below a path, the host takes that path off. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Serves it on 127.0.0.1, at a free port where none is named; the URL that it is reached by. */
  readonly listen: (port?: number) => Promise<string>;
  /** Lets go of those who wait, and of its port; the guard goes on. */
  readonly close: () => Promise<void>;
}

/** What keeps a caller out of a route; `null` where they are let in. */
const refusal = async (
  { admits }: Route,
  access: Access,
  caller: Caller,
  id: string,
): Promise<Text | null> => {
  const mayRead = () => access.mayRead(caller, id);
  switch (admits) {
    case 'anyone':
    case 'caller':
      return null;
    case 'agent':
      return isAgent(caller) ? null : problem('identity_refused', 'Expected an agent.');
    case 'person':
      return isAgent(caller) ? problem('identity_refused', 'Expected a person.') : null;
    case 'owner':
      return (await access.owns(caller, id)) ? null : missing('run');
    case 'reader':
      return (await mayRead()) ? null : missing('run');
    case 'owner or person':
      return (await (isAgent(caller) ? access.owns(caller, id) : mayRead())) ? null : missing('run');
  }
};

const nobody: Caller = { person: '' };

/** Aborted once the one who asked is gone, or all of them are let go of; `AbortSignal.any` would keep a trace of each request. */
const goneOf = (response: ServerResponse, asking: Set<AbortController>): AbortSignal => {
  const left = new AbortController();
  asking.add(left);
  response.on('close', () => {
    asking.delete(left);
    left.abort();
  });
  return left.signal;
};

/** Builds a wire: UpFormat messages, UAICP documents and AG-UI events over plain HTTP (UAICP 10). Throws `definition_invalid` for a weak token. */
export const createWire = (guard: Guard, options: WireOptions): Wire => {
  const { identity, mayRead = ownOrPerson, patience = 25_000, onError = () => {} } = options;
  const gate = createGate(options);
  const access = createAccess(guard.orchestrator, mayRead, onError);
  const asking = new Set<AbortController>();
  let isClosed = false;

  const replyTo = async (request: IncomingMessage, gone: AbortSignal): Promise<Reply> => {
    const strange = gate(request);
    if (strange !== null) return strange;
    const to = routeTo(request.method ?? '', targetIn(request)?.pathname ?? '');
    if ('reply' in to) return to.reply;
    const { route, id } = to;
    const caller = route.admits === 'anyone' ? nobody : readCaller(await identity(request));
    if (caller === null)
      return problem('unauthenticated', 'Expected a caller whom this host knows.', {}, challenge);
    const kept = await refusal(route, access, caller, id);
    if (kept !== null) return kept;
    const body = route.body === undefined ? { value: undefined } : await readBody(request);
    if ('refusal' in body) return body.refusal;
    const asked: Asked = {
      guard,
      access,
      caller,
      id,
      headers: request.headers,
      body: body.value,
      gone,
      patience,
    };
    return route.answer(asked);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse, gone: AbortSignal) => {
    const reply = await replyTo(request, gone);
    if ('body' in reply) return send(response, reply);
    if (request.method === 'HEAD')
      return send(response, { status: 200, type: 'text/event-stream', body: '' });
    await sendEvents(response, reply.events, gone);
  };

  const handler: Wire['handler'] = (request, response) => {
    if (isClosed) return void response.destroy();
    const gone = goneOf(response, asking);
    answer(request, response, gone).catch((error: unknown) => {
      if (gone.aborted) return void response.destroy();
      const { reply, isTheirs } = refused(error);
      if (!isTheirs) onError(error);
      if (response.headersSent) response.destroy();
      else send(response, reply);
    });
  };

  const servers = createServers(handler, onError);

  const close = async (): Promise<void> => {
    isClosed = true;
    for (const one of asking) one.abort();
    await servers.close();
  };

  return {
    handler,
    listen: servers.listen,
    close,
    [Symbol.asyncDispose]: close,
  };
};
