import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';

const debian = '/usr/lib/postgresql';

/** Debian keeps the programs of a server out of the path. */
const programs = (): string => {
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = versions.map((version) => join(debian, version, 'bin'));
  const found = [...folders, ...(process.env['PATH'] ?? '').split(':')].find((folder) =>
    existsSync(join(folder, 'initdb')),
  );
  if (found === undefined) throw new Error('PostgreSQL is missing: apt-get install postgresql');
  return found;
};

const idOf = (flag: string): number =>
  Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);

/** The user of the server: it refuses to run as root. */
const user = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  return { uid: idOf('-u'), gid: idOf('-g') };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
};

const accepts = async (connectionString: string): Promise<boolean> => {
  const client = new Client({ connectionString });
  client.on('error', () => {});
  const isOpen = await client.connect().then(
    () => true,
    () => false,
  );
  if (isOpen) await client.end();
  return isOpen;
};

/** A server of its own in a temporary folder, which only this machine reaches. */
export interface Server {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts a server. */
export const startServer = async (): Promise<Server> => {
  const [bin, folder] = [programs(), mkdtempSync(join(tmpdir(), 'agentcharter-cluster-'))];
  const as = user();
  if (as !== undefined) chownSync(folder, as.uid, as.gid);
  const run = (program: string, args: readonly string[]): ChildProcess =>
    spawn(join(bin, program), args, { cwd: folder, stdio: 'ignore', ...as });
  const data = join(folder, 'data');
  const [made] = await once(
    run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C']),
    'exit',
  );
  if (made !== 0) throw new Error(`initdb ended with ${String(made)}`);

  const port = await freePort();
  const server = run('postgres', ['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder]);
  process.once('exit', () => void server.kill('SIGQUIT'));
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  while (!(await accepts(url))) {
    if (server.exitCode !== null) throw new Error(`postgres ended with ${server.exitCode}`);
    await setTimeout(50);
  }
  return {
    url,
    stop: async () => {
      server.kill('SIGINT');
      if (server.exitCode === null) await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
