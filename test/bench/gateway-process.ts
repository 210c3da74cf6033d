import { join } from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { serveStdio as serveOverStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import Libsql from 'libsql';
import { startGateway } from '../../src/apps/gateway/gateway.ts';
import { recordsIn } from '../../src/apps/gateway/options.ts';
import { readCharter } from '../../src/apps/gateway/read-charter.ts';
import { doorOf, entrancesOf } from '../../src/apps/gateway/entrance.ts';
import { serveHttp, serveStdio } from '../../src/apps/gateway/serve.ts';
import { randomIds, systemClock } from '../../src/core/shell/clock.ts';
import { memoryBlobs, memoryStore } from '../../src/stores/memory.ts';

// What stands between client and server, in a process of its own: a gateway, or a proxy that passes calls on. It tells its
// parent where it listens, and what it spent whenever the parent asks.

/** What stands there. `rows` is the proxy that also writes three synced rows a call. */
export type Between = 'proxy' | 'rows' | 'gateway in memory' | 'gateway in SQLite';

/** What a process spent: microseconds, and bytes. */
export interface Sample {
  readonly cpu: number;
  readonly rss: number;
  readonly heap: number;
}

/** Returns a function that keeps what is said of a call, as a record that survives the power would be. */
const synced = (folder: string): ((row: unknown) => void) => {
  const database = new Libsql(join(folder, 'rows.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE row (body TEXT)');
  const insert = database.prepare('INSERT INTO row VALUES (?)');
  return (row) => void insert.run(JSON.stringify(row));
};

/** A proxy that lists once, and passes calls on. */
const startProxy = async (command: string, args: readonly string[], keep: (row: unknown) => void) => {
  const info = { name: 'proxy', version: '1' };
  const client = new Client(info);
  await client.connect(new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }));
  const { tools } = await client.listTools();
  return (): Server => {
    const server = new Server(info, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', async () => ({ tools }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      keep(params);
      keep('started');
      const result = await client.callTool(params);
      keep(result);
      return result;
    });
    return server;
  };
};

const say = (): void => {};
const inMemory = () => ({ store: memoryStore(), blobs: memoryBlobs() });

const [, , between = '', over = '', folder = '', program = ''] = process.argv;
const tell = (message: unknown): void => void process.send?.(message);

if (between.startsWith('gateway')) {
  const charter = await readCharter(join(folder, 'charter.yaml'));
  const gateway = await startGateway(
    {
      charter,
      variables: process.env,
      say,
      isShadow: false,
      policy: null,
      clock: systemClock,
      ids: randomIds,
    },
    between === 'gateway in memory' ? inMemory : recordsIn,
  );
  if (over === 'http') {
    const face = await serveHttp(gateway, await doorOf(charter, entrancesOf(charter, process.env), say), say);
    tell({ url: `${await face.listen(0)}/mcp` });
  } else await serveStdio(gateway, charter, { input: process.stdin, output: process.stdout }, say);
} else {
  const proxy = await startProxy('node', [program], between === 'rows' ? synced(folder) : () => {});
  if (over === 'http') {
    const { fetch } = createMcpHandler(proxy);
    const server = createAdaptorServer({ fetch: (request) => fetch(request) });
    Object.assign(server, { keepAliveTimeout: 60_000 }); // connections of the crowd stay while it waits its turn
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      tell({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}/mcp` });
    });
  } else serveOverStdio(proxy, { transport: new StdioServerTransport() });
}
if (over === 'stdio') tell({ url: null });

process.on('message', () => {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  tell({ cpu: user + system, rss, heap: heapUsed } satisfies Sample);
});
process.once('disconnect', () => process.exit(0));
