import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hono } from 'hono';
import { isObject } from '../../base/boundary/is-object.ts';
import type { FetchEnv } from './env.ts';
import { eventType, within } from './events.ts';
import { createLink, type Link } from './link.ts';
import { createNodeSide } from './node-side.ts';
import { loadHono } from './peers.ts';
import { json, problem, problemOf } from './problem.ts';

/** The environment of a route: the link to the client, and the values that the host passed to `fetch`. */
export interface FaceEnv {
  Bindings: { readonly link: Link; readonly given: FetchEnv };
}

export type App = Hono<FaceEnv>;

/** A server that you mount in another server, or let listen on a port. */
export interface Face extends AsyncDisposable {
  /**
   * Answers a request. This is the standard handler for Hono, Next.js and others that use `Request`. `env` is
   * passed on to `identity`.
   */
  readonly fetch: (request: Request, env?: FetchEnv) => Promise<Response>;
  /**
   * Answers a Node request, as in Express or Fastify. Your server must remove the mount path from the URL.
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Serves on 127.0.0.1, by default on a free port. Returns the origin. */
  readonly listen: (port?: number) => Promise<string>;
  /** Disconnects its clients and closes its ports. */
  readonly close: () => Promise<void>;
}

/** Options for mounting. */
export interface MountOptions {
  /** The allowed hosts, each as `name` or `name:port`. By default, the names of this machine. */
  readonly hosts?: readonly string[] | undefined;
  /** The mount path, if your server leaves it in the URL, as Next.js does: `/api/agents`. */
  readonly basePath?: string | undefined;
}

export interface FaceParts extends Pick<MountOptions, 'basePath'> {
  /** Its name in errors. */
  readonly name: string;
  /** Adds the gates, the routes and the answer to unknown paths. */
  readonly addTo: (app: App) => void;
  /** Whether what it serves can take requests, and why not. */
  readonly readiness: () => Promise<{ readonly isReady: boolean; readonly reasons: readonly string[] }>;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly onError: (error: unknown) => void;
  /** Notifies the connected clients on close. Has a short time limit. */
  readonly beforeClose?: () => Promise<void>;
}

/** Milliseconds for the clients to read the end of a stream. */
const closeTimeout = 1_000;

/** Returns a base path with a leading and without a trailing slash; empty for the root. */
export const basePathOf = (basePath = ''): string => {
  const names = basePath.split('/').filter((name) => name !== '');
  return names.map((name) => `/${name}`).join('');
};

/** Returns the path below the base path. Outside it, returns a path that matches no route. */
const pathBelow =
  (basePath: string) =>
  (request: Request): string => {
    const { pathname } = new URL(request.url);
    return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : '//';
  };

/** Creates a face from its routes. */
export const createFace = (parts: FaceParts): Face => {
  const { name, addTo, readiness, headers, onError, basePath, beforeClose } = parts;
  const links = new Set<Link>();
  let app: Promise<App> | undefined;
  let isClosed = false;

  const withHeaders = (response: Response): Response => {
    for (const [header, value] of Object.entries(headers)) response.headers.set(header, value);
    return response;
  };

  const closed = (): Response => problem('closed', `The ${name} is closed.`);

  const failed = (error: unknown, { gone }: Link): Response =>
    gone.aborted ? closed() : problemOf(error, onError);

  const built = async (): Promise<App> => {
    const { Hono } = await loadHono(name);
    const made = new Hono<FaceEnv>({ getPath: pathBelow(basePathOf(basePath)) });
    // before the gates: probes have no token, and know no host name
    made.get('/healthz', () => json({ status: 'ok' }));
    made.get('/readyz', async () => {
      const { isReady, reasons } = await readiness();
      return json({ status: isReady ? 'ready' : 'unready', reasons }, { status: isReady ? 200 : 503 });
    });
    addTo(made);
    return made.onError((error, { env }) => failed(error, env.link));
  };

  const answer = async (routes: App, request: Request, env: FetchEnv, link: Link): Promise<Response> => {
    try {
      return await routes.fetch(request, { link, given: env });
    } catch (error) {
      return failed(error, link); // Hono rethrows values that are not errors
    }
  };

  const fetch: Face['fetch'] = async (request, given) => {
    if (isClosed) return withHeaders(closed());
    const routes = await (app ??= built());
    const env = isObject(given) ? given : {};
    const link = createLink(request, env, () => links.delete(link));
    links.add(link);
    const response = await answer(routes, request, env, link);
    const isStream = response.headers.get('content-type') === eventType && response.body !== null;
    if (!isStream) link.end();
    return withHeaders(response);
  };

  const node = createNodeSide(fetch, {
    ...parts,
    refuse: () =>
      withHeaders(problem('input_unreadable', 'The target or the host of this request cannot be read.')),
  });

  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    if (beforeClose !== undefined) {
      await within(closeTimeout, beforeClose());
      await new Promise((written) => setTimeout(written)); // Node writes its buffers in the next tick
    }
    for (const link of links) link.abort();
    await node.close();
  };

  return { fetch, handler: node.handler, listen: node.listen, close, [Symbol.asyncDispose]: close };
};
