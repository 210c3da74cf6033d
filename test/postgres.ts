import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type QueryResult } from 'pg';
import { whereIs } from './needs.ts';

const idOf = (flag: string): number =>
  Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);

/** The user that a server runs as: it refuses root. `null` for the current one. */
const serverUser = (): { readonly uid: number; readonly gid: number } | null => {
  if (process.getuid?.() !== 0) return null;
  return { uid: idOf('-u'), gid: idOf('-g') };
};

/** Returns a port of 127.0.0.1 that is free now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
      .on('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        server.close(() => resolve(port));
      });
  });

/** A program that a test started as the user of the server, and its folder. */
export interface Started {
  readonly folder: string;
  readonly run: (program: string, args: readonly string[]) => ChildProcess;
  readonly remove: () => void;
}

/** Creates a folder that belongs to the user of a server. */
export const serverFolder = (): Started => {
  const folder = mkdtempSync(join(tmpdir(), 'agentcharter-pg-'));
  const user = serverUser();
  if (user !== null) chownSync(folder, user.uid, user.gid);
  const options: SpawnOptions = { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'], ...user };
  return {
    folder,
    run: (program, args) => spawn(program, args, options),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
};

const exited = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('exit', resolve);
  });

const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until a server accepts connections. */
export const accepting = async (connectionString: string, child: ChildProcess): Promise<void> => {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const client = new Client({ connectionString });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await later(50);
    }
  }
  throw new Error('the server does not accept connections');
};

/** A server of its own in a temporary folder, reachable from this machine only. */
export interface Cluster {
  readonly port: number;
  /** The connection string of the superuser, or of a role. */
  readonly url: (role?: string, database?: string) => string;
  /** Runs SQL as the superuser. */
  readonly sql: (text: string, database?: string) => Promise<readonly object[]>;
  /** Stops the server: `immediate` as a crash does. */
  readonly stop: (mode: 'immediate' | 'fast') => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops the server, and removes its folder. */
  readonly remove: () => Promise<void>;
}

const signals = { immediate: 'SIGQUIT', fast: 'SIGINT' } as const;

/** Starts a cluster. Nothing is synced by default: a crash of the server is survived, one of the machine is not. */
export const startCluster = async (settings: Readonly<Record<string, string>> = {}): Promise<Cluster> => {
  const bin = whereIs('postgres');
  if (bin === null) throw new Error('PostgreSQL is missing');
  const { folder, run, remove } = serverFolder();
  const data = join(folder, 'data');
  const made = run(join(bin, 'initdb'), [
    '-D',
    data,
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ]);
  if ((await exited(made)) !== 0) throw new Error('initdb failed');
  const port = await freePort();
  const url: Cluster['url'] = (role = 'postgres', database = 'postgres') =>
    `postgres://${role}@127.0.0.1:${port}/${database}`;
  const given = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    port: String(port),
    fsync: 'off',
    ...settings,
  };
  const args = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let server: ChildProcess | null = null;
  const killed = (): void => void server?.kill('SIGQUIT');
  process.once('exit', killed);

  const stop: Cluster['stop'] = async (mode) => {
    if (server === null) return;
    server.kill(signals[mode]);
    await exited(server);
    server = null;
  };
  const start: Cluster['start'] = async () => {
    server = run(join(bin, 'postgres'), ['-D', data, ...args]);
    await accepting(url(), server);
  };
  await start();
  return {
    port,
    url,
    sql: async (text, database) => {
      const client = new Client({ connectionString: url('postgres', database) });
      client.on('error', () => {});
      await client.connect();
      try {
        const results = (await client.query(text)) as QueryResult | QueryResult[];
        const last = Array.isArray(results) ? results.at(-1) : results;
        return (last?.rows ?? []) as object[];
      } finally {
        await client.end();
      }
    },
    stop,
    start,
    remove: async () => {
      await stop('immediate');
      process.off('exit', killed);
      remove();
    },
  };
};
