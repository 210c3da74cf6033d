import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

/** HTTP servers that this machine alone reaches, and that end together. */
export const createServers = (handler: RequestListener, onError: (error: unknown) => void) => {
  const servers = new Set<Server>();
  return {
    /** The origin that it listens at; any free port where none is named. */
    listen: async (port = 0): Promise<string> => {
      const server = createServer(handler);
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      server.on('error', onError);
      servers.add(server);
      const address = server.address();
      return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
    },
    close: async (): Promise<void> => {
      const all = [...servers];
      servers.clear();
      await Promise.all(
        all.map(async (server) => {
          server.closeAllConnections();
          await new Promise((closed) => server.close(closed));
        }),
      );
    },
  };
};
