import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Hono } from 'hono';
import { isObject } from '../boundary/is-object.ts';
import type { FetchEnv } from './env.ts';
import { eventType, within } from './events.ts';
import { createLink, type Link } from './link.ts';
import { createNodeSide } from './node-side.ts';
import { loadHono } from './peers.ts';
import { problem, problemOf } from './problem.ts';

/** What a route has beside the request: the link to who waits for the answer, and what the host passed to `fetch`. */
export interface FaceEnv {
  Bindings: { readonly link: Link; readonly given: FetchEnv };
}

export type App = Hono<FaceEnv>;

/** A server without a port of its own: it is mounted in a host's, or listens. */
export interface Face extends AsyncDisposable {
  /**
   * Answers a request: the standard handler, which mounts in Hono, Next.js and whatever else has a `Request`. A host may
   * pass what it knows beside the request, which `identity` is given.
   */
  readonly fetch: (request: Request, env?: FetchEnv) => Promise<Response>;
  /** Answers a request of Node, such as one of Express or Fastify; the host takes the path off below which it is mounted. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** Serves it on 127.0.0.1, by default at a free port. Returns the origin that it is reached by. */
  readonly listen: (port?: number) => Promise<string>;
  /** Lets go of those who wait, and of its ports. */
  readonly close: () => Promise<void>;
}

/** Where a face is mounted. */
export interface MountOptions {
  /** The hosts that it is reached by, each as `name` or `name:port`; by default this machine's own names. */
  readonly hosts?: readonly string[] | undefined;
  /** The path below which it is mounted, if the host leaves it in the URL, as Next.js does: `/api/agents`. */
  readonly basePath?: string | undefined;
}

export interface FaceParts extends Pick<MountOptions, 'basePath'> {
  /** Who it is, in errors. */
  readonly name: string;
  /** Adds what guards its routes, the routes, and what is answered where there is none. */
  readonly addTo: (app: App) => void;
  /** Headers that every answer has. */
  readonly headers: Readonly<Record<string, string>>;
  readonly onError: (error: unknown) => void;
  /** Says goodbye to those who listen; it is waited for a moment. */
  readonly farewell?: () => Promise<void>;
  /** Whether the server keeps the process alive; by default it does. */
  readonly isUnref?: boolean;
}

/** Milliseconds that slow readers have to hear the end. */
const patience = 1_000;

/** Returns a base path with one slash before it and none behind it; empty for the root. */
export const basePathOf = (basePath = ''): string => {
  const names = basePath.split('/').filter((name) => name !== '');
  return names.map((name) => `/${name}`).join('');
};

/** The path of a request below the base path; one that no route has if it is elsewhere. */
const pathBelow =
  (basePath: string) =>
  (request: Request): string => {
    const { pathname } = new URL(request.url);
    return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length) : '//';
  };

/** Builds a face of its routes: all that is the same for each of them. */
export const createFace = (parts: FaceParts): Face => {
  const { name, addTo, headers, onError, basePath, farewell } = parts;
  const links = new Set<Link>();
  let app: Promise<App> | undefined;
  let isClosed = false;

  const dressed = (response: Response): Response => {
    for (const [header, value] of Object.entries(headers)) response.headers.set(header, value);
    return response;
  };

  const closed = (): Response => problem('closed', `The ${name} is closed.`);

  const failed = (error: unknown, { gone }: Link): Response =>
    gone.aborted ? closed() : problemOf(error, onError);

  const built = async (): Promise<App> => {
    const { Hono } = await loadHono(name);
    const made = new Hono<FaceEnv>({ getPath: pathBelow(basePathOf(basePath)) });
    addTo(made);
    return made.onError((error, { env }) => failed(error, env.link));
  };

  const answer = async (routes: App, request: Request, env: FetchEnv, link: Link): Promise<Response> => {
    try {
      return await routes.fetch(request, { link, given: env });
    } catch (error) {
      return failed(error, link); // Hono passes on what is no `Error`
    }
  };

  const fetch: Face['fetch'] = async (request, given) => {
    if (isClosed) return dressed(closed());
    const routes = await (app ??= built());
    const env = isObject(given) ? given : {};
    const link = createLink(request, env, () => links.delete(link));
    links.add(link);
    const response = await answer(routes, request, env, link);
    const isStream = response.headers.get('content-type') === eventType && response.body !== null;
    if (!isStream) link.end();
    return dressed(response);
  };

  const node = createNodeSide(fetch, {
    ...parts,
    refuse: () =>
      dressed(problem('input_unreadable', 'The target or the host of this request cannot be read.')),
  });

  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    if (farewell !== undefined) {
      await within(patience, farewell());
      await new Promise((written) => setTimeout(written)); // Node writes what it was given at its next tick
    }
    for (const link of links) link.abort();
    await node.close();
  };

  return { fetch, handler: node.handler, listen: node.listen, close, [Symbol.asyncDispose]: close };
};
