import { readdirSync, readFileSync } from 'node:fs';
import { startCluster, type Cluster } from '../postgres.ts';

// A server of PostgreSQL with its own settings, which syncs every commit, and what it did in a span of time.

/** What a server did. */
export interface Served {
  /** CPU milliseconds of all its processes; no number elsewhere than on Linux. */
  readonly cpu: number;
  readonly transactions: number;
  /** Calls that put its log on the disk; one can serve several commits. */
  readonly syncs: number;
  /** Bytes that it wrote to its log. */
  readonly logged: number;
}

/** What a server did, and the clients that are connected now. */
export interface Observed extends Served {
  readonly connections: number;
}

export interface Server extends Cluster {
  /** Creates a database, and returns its connection string. */
  readonly create: (database: string) => Promise<string>;
  /** Returns what was done since the server began, and who is connected; of one database where it counts them apart. */
  readonly observe: (database: string) => Promise<Observed>;
  readonly version: () => Promise<string>;
}

/** Milliseconds of a tick, in which Linux counts CPU time. */
const tick = 10;

/** Returns the ticks of a process, with those of its children that ended; `null` if it is gone. */
const ticksOf = (pid: string): { readonly parent: string; readonly ticks: number } | null => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' '); // the name may have spaces
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: fields[1] ?? '', ticks };
  } catch {
    return null;
  }
};

/** Returns the CPU milliseconds of a process and its children. */
const cpuOf = (pid: string): number => {
  const own = ticksOf(pid);
  if (own === null) return Number.NaN;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(ticksOf)
    .filter((one) => one?.parent === pid);
  return [own, ...children].reduce((sum, one) => sum + (one?.ticks ?? 0), 0) * tick;
};

const counters = `SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid,
  (SELECT xact_commit::float8 FROM pg_stat_database WHERE datname = current_database()) AS transactions,
  (SELECT (to_jsonb(w)->>'wal_sync')::float8 FROM pg_stat_wal AS w) AS syncs,
  pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS logged,
  (SELECT count(*)::float8 FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()) AS connections`;

interface Counters {
  readonly pid: string;
  readonly transactions: number;
  /** Later versions of the server do not have it. */
  readonly syncs: number | null;
  readonly logged: number;
  readonly connections: number;
}

export const startServer = async (): Promise<Server> => {
  const cluster = await startCluster({ fsync: 'on' });
  return {
    ...cluster,
    create: async (database) => {
      await cluster.sql(`CREATE DATABASE "${database}"`);
      return cluster.url('postgres', database);
    },
    version: async () => {
      const [row] = (await cluster.sql("SELECT current_setting('server_version') AS version")) as readonly {
        readonly version: string;
      }[];
      return row?.version.split(' ')[0] ?? 'unknown';
    },
    observe: async (database) => {
      const [row] = (await cluster.sql(counters, database)) as readonly Counters[];
      if (row === undefined) throw new Error('the server does not count');
      const { pid, syncs, ...counts } = row;
      return { ...counts, cpu: cpuOf(pid), syncs: syncs ?? Number.NaN };
    },
  };
};
