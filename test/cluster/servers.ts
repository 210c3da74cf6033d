import { spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { whereIs } from '../needs.ts';
import { accepting, freePort, serverFolder, type Started } from '../postgres.ts';
import { later } from './events.ts';

const exited = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('exit', resolve);
  });

const settings = {
  listen_addresses: '127.0.0.1',
  fsync: 'off', // a crash of the server is survived, one of the machine is not
  max_connections: '100',
  wal_level: 'replica',
  hot_standby: 'on',
  wal_keep_size: '256MB',
  synchronous_commit: 'on',
  wal_retrieve_retry_interval: '200ms',
};

/** A server with its own folder and port. */
class Server {
  readonly port: number;
  readonly #place: Started;
  readonly #bin: string;
  #process: ChildProcess | null = null;

  constructor(port: number, place: Started, bin: string) {
    this.port = port;
    this.#place = place;
    this.#bin = bin;
  }

  get data(): string {
    return join(this.#place.folder, 'data');
  }

  /** Writes a file of its folder, which the user of the server can read. */
  write(name: string, text: string): void {
    writeFileSync(join(this.data, name), text, { mode: 0o644 });
  }

  async run(program: string, ...args: readonly string[]): Promise<void> {
    const code = await exited(this.#place.run(join(this.#bin, program), args));
    if (code !== 0) throw new Error(`${program} ended with ${code}`);
  }

  async start(): Promise<void> {
    const given = { ...settings, unix_socket_directories: this.#place.folder, port: String(this.port) };
    const args = Object.entries(given).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.#process = this.#place.run(join(this.#bin, 'postgres'), ['-D', this.data, ...args]);
    await accepting(this.url, this.#process);
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Limits the size of each file, for all processes that it has and will have. */
  limitFiles(bytes: number | 'unlimited'): void {
    const pid = this.#process?.pid;
    if (pid === undefined) return;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    for (const one of [String(pid), ...children]) spawnSync('prlimit', ['--pid', one, `--fsize=${bytes}:`]);
  }

  /** Lets the process that receives from the primary stand still, or go on. */
  async receive(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const [row] = await this.rows('SELECT pid FROM pg_stat_wal_receiver WHERE pid IS NOT NULL');
    if (row !== undefined) process.kill((row as { readonly pid: number }).pid, signal);
  }

  /** Stops it as a crash does. */
  async crash(): Promise<void> {
    if (this.#process === null) return;
    this.#process.kill('SIGQUIT');
    await exited(this.#process);
    this.#process = null;
  }

  async remove(): Promise<void> {
    await this.crash();
    this.#place.remove();
  }

  async rows(text: string, values: readonly unknown[] = []): Promise<readonly object[]> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query({ text, values: [...values] })).rows as object[];
    } finally {
      await client.end();
    }
  }
}

const newServer = async (): Promise<Server> => {
  const bin = whereIs('postgres');
  if (bin === null) throw new Error('PostgreSQL is missing');
  return new Server(await freePort(), serverFolder(), bin);
};

/** Starts a server that has nothing. */
const emptyServer = async (): Promise<Server> => {
  const server = await newServer();
  const how = [
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--wal-segsize=1',
  ];
  await server.run('initdb', '-D', server.data, ...how);
  await server.start();
  return server;
};

/** A server and, if wanted, a replica that has every commit before it is answered. */
export class Servers {
  #primary: Server;
  #standby: Server | null = null;

  private constructor(primary: Server) {
    this.#primary = primary;
  }

  static async start(): Promise<Servers> {
    return new Servers(await emptyServer());
  }

  get port(): number {
    return this.#primary.port;
  }

  get url(): string {
    return this.#primary.url;
  }

  rows(text: string, values?: readonly unknown[]): Promise<readonly object[]> {
    return this.#primary.rows(text, values);
  }

  async crash(): Promise<void> {
    await this.#primary.crash();
  }

  async restart(): Promise<void> {
    await this.#primary.start();
  }

  /** Lets no table grow, as on a disk that is full; its log has files of this size. */
  fillDisk(): void {
    this.#primary.limitFiles(2 ** 20);
  }

  freeDisk(): void {
    this.#primary.limitFiles('unlimited');
  }

  /** Adds a replica if there is none; from then on the server answers no commit before the replica has it. */
  async replicate(): Promise<void> {
    if (this.#standby !== null) return;
    const standby = await newServer();
    const what = ['-d', this.url, '-D', standby.data, '-X', 'stream', '--checkpoint=fast', '--no-sync'];
    await standby.run('pg_basebackup', ...what);
    const from = `host=127.0.0.1 port=${this.port} user=postgres application_name=standby`;
    standby.write('postgresql.auto.conf', `primary_conninfo = '${from}'\n`);
    standby.write('standby.signal', '');
    await standby.start();
    await this.#primary.rows(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
    await this.#primary.rows('SELECT pg_reload_conf()');
    await this.#awaitSync();
    this.#standby = standby;
  }

  async #awaitSync(): Promise<void> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const text = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'`;
      if ((await this.#primary.rows(text)).length > 0) return;
      await later(50);
    }
    throw new Error('the replica does not follow');
  }

  /** Ends the server for good, and makes the replica the server. */
  async failOver(): Promise<void> {
    const standby = this.#standby;
    if (standby === null) throw new Error('there is no replica');
    const former = this.#primary;
    await former.crash();
    await standby.rows('SELECT pg_promote(true)');
    this.#primary = standby;
    this.#standby = null;
    await former.remove();
  }

  /**
   * Lets the replica receive nothing for so many milliseconds: commits wait for it. Returns whether one did. It goes on with
   * what has reached its machine.
   */
  async slowReplica(milliseconds: number): Promise<boolean> {
    const until = Date.now() + milliseconds;
    let hasWaited = false;
    await this.#standby?.receive('SIGSTOP');
    try {
      while (Date.now() < until) {
        await later(100);
        const text = `SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
        hasWaited ||= (await this.#primary.rows(text)).length > 0;
      }
    } finally {
      await this.#standby?.receive('SIGCONT');
    }
    return hasWaited;
  }

  /**
   * Goes on with a dump of the server on a new one, once `leave` has led all clients away. Returns whether numbers of transactions
   * began again.
   */
  async restoreDump(leave: () => void): Promise<boolean> {
    const [former, fresh] = [this.#primary, await emptyServer()];
    leave();
    const others = `FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
    while ((await former.rows(`SELECT pg_terminate_backend(pid) ${others}`)).length > 0) await later(20);
    const dump = join(fresh.data, 'dump');
    await fresh.run('pg_dump', '-Fc', '-d', former.url, '-f', dump);
    await fresh.run('pg_restore', '--exit-on-error', '-d', fresh.url, dump);
    this.#primary = fresh;
    await this.#standby?.remove();
    this.#standby = null;
    await former.remove();
    const ahead = 'SELECT FROM agentcharter.task WHERE changed >= pg_snapshot_xmax(pg_current_snapshot())';
    return (await fresh.rows(ahead)).length > 0;
  }

  async remove(): Promise<void> {
    await this.#standby?.remove();
    await this.#primary.remove();
  }
}
