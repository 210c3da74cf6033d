import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FetchEnv } from './env.ts';
import { loadNode } from './peers.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface NodeSideParts {
  readonly name: string;
  readonly onError: (error: unknown) => void;
  /** Answers an invalid request: its target or host cannot be parsed. */
  readonly refuse: () => Response;
}

/** Serves a `fetch` handler on Node: as a request listener, and on ports of 127.0.0.1. */
export const createNodeSide = (
  fetch: (request: Request, env: FetchEnv) => Promise<Response>,
  { name, onError, refuse }: NodeSideParts,
) => {
  const servers = new Set<Server>();
  let loading: Promise<Listener> | undefined;

  const load = async (): Promise<Listener> => {
    const { getRequestListener, RequestError } = await loadNode(name);
    const errorHandler = (error: unknown): Response => {
      if (error instanceof RequestError) return refuse();
      onError(error);
      return new Response(null, { status: 500 });
    };
    // the default replaces the global `Request` and `Response` of the process
    return getRequestListener((request, env) => fetch(request, env as FetchEnv), {
      overrideGlobalObjects: false,
      errorHandler,
    });
  };
  const listener = (): Promise<Listener> => (loading ??= load());

  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    listener()
      .then((listen) => listen(request, response))
      .catch((error: unknown) => {
        onError(error);
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
  };

  return {
    handler,
    listen: async (port = 0): Promise<string> => {
      await listener();
      const { createServer } = await import('node:http');
      const server = createServer(handler);
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(port, '127.0.0.1', resolve);
      });
      server.on('error', onError);
      servers.add(server);
      const address = server.address();
      return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
    },
    close: async (): Promise<void> => {
      const all = [...servers];
      servers.clear();
      const closing = all.map((server) => new Promise((closed) => server.close(closed)));
      for (const server of all) server.closeAllConnections();
      await Promise.all(closing);
    },
  };
};
