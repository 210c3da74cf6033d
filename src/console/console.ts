import type { IncomingMessage, ServerResponse } from 'node:http';
import { targetIn } from '../boundary/request.ts';
import { createServers } from '../boundary/servers.ts';
import type { Person } from '../ports/ledger.ts';
import type { Orchestrator } from '../orchestrator/surface.ts';
import { readBody } from './api/body.ts';
import { createChanges } from './changes.ts';
import { createGate } from './gate.ts';
import { refused } from './refused.ts';
import { send, text } from './reply.ts';
import { routeTo } from './routes.ts';

/** What a console is made of beside its orchestrator. */
export interface ConsoleOptions {
  /**
   * Names the person who looks, as the host authenticated them, or says all that it knows of them: what they answer is
   * answered in this name. `null`, or left out: nobody, and nothing can be answered.
   */
  readonly identity?: (request: IncomingMessage) => string | Person | null | Promise<string | Person | null>;
  /** The hosts that it is reached by, each as `name` or `name:port`; this machine's own names where left out. */
  readonly hosts?: readonly string[];
  /** Told of errors that are not the caller's. */
  readonly onError?: (error: unknown) => void;
}

/** A console over one orchestrator: tasks, their threads, ledgers and evidence, and the inbox. */
export interface TaskConsole extends AsyncDisposable {
  /** To be mounted in a server of the host's: below a path, the host takes that path off, and opens it as `path/?token=`. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Makes a token that opens the console once, as `?token=` behind its address; from then on a cookie does. */
  readonly newToken: () => string;
  /** Serves it on 127.0.0.1, by default at a free port. Returns the URL that opens it once, with a token of its own. */
  readonly listen: (port?: number) => Promise<string>;
  /** Lets go of its pages and its port; the orchestrator goes on. */
  readonly close: () => Promise<void>;
}

/** What is asked for by a request whose target is none. */
const nowhere = new URL('http://console/nowhere');

/** Builds a console; it is read-only unless `identity` names who looks. Nothing it serves loads anything from elsewhere. */
export const createConsole = (orchestrator: Orchestrator, options: ConsoleOptions = {}): TaskConsole => {
  const { identity = () => null, hosts, onError = () => {} } = options;
  const gate = createGate(hosts?.map((host) => host.toLowerCase()));
  const changes = createChanges(orchestrator);

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: query } = targetIn(request) ?? nowhere;
    const refusal = gate.refusal(request, query);
    if (refusal !== null) return send(response, refusal);
    const { method = '' } = request;
    if (method === 'GET' && pathname === '/events') return changes.follow(request, response);
    const to = routeTo(method, pathname);
    if (to === undefined) return send(response, text(404, 'Nothing is here.\n'));
    const { route, id, part } = to;
    const asked = { orchestrator, query, id, part, body: () => readBody(request) };
    send(response, await route({ ...asked, identity: async () => identity(request) }));
  };

  const handler: TaskConsole['handler'] = (request, response) => {
    answer(request, response).catch((error: unknown) => {
      const { reply, isTheirs } = refused(error);
      if (!isTheirs) onError(error);
      if (response.headersSent) response.destroy();
      else send(response, reply);
    });
  };

  const servers = createServers(handler, onError);

  const close = async (): Promise<void> => {
    changes.close();
    await servers.close();
  };

  return {
    handler,
    newToken: gate.newToken,
    listen: async (port) => `${await servers.listen(port)}/?token=${gate.newToken()}`,
    close,
    [Symbol.asyncDispose]: close,
  };
};
