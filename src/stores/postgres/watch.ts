import type { PostgresClient } from './driver.ts';
import { listenTo } from './layout.ts';
import { nameOfBytes } from './names.ts';
import type { Session } from './session.ts';

type Changed = (taskIds: readonly string[]) => void;

/** Reports the tasks that other stores changed. */
export interface Watch {
  readonly add: (changed: Changed) => () => void;
  /** Settles when changes from now on are reported. Throws `store_unusable`. */
  readonly begun: () => Promise<void>;
  readonly close: () => void;
}

interface ChangedRow {
  readonly task_id: Buffer | null;
  readonly changed: string | null;
  readonly horizon: string;
}

/** Milliseconds before another attempt to listen. */
const retryDelay = 5_000;

/** A transaction that is still open may commit under an earlier number: only those before the horizon are all visible. */
const horizon = 'pg_snapshot_xmin(pg_current_snapshot())::text AS horizon';

/**
 * Creates a watch. It polls: that alone finds every change. Where the server can report changes, it polls at once then. A
 * pooler that gives each transaction another session would drop the reports, and is not asked for them.
 */
export const createWatch = (session: Session, schema: string, poll: number): Watch => {
  const listeners = new Set<{ readonly changed: Changed }>();
  let timer: NodeJS.Timeout | null = null;
  let isPolling = false;
  let isMissed = false;
  /** Every change before it is known; `null` before the first poll. */
  let since: string | null = null;
  let beginning: Promise<void> | null = null;
  /** The changes from `since` on that are known. */
  let known = new Map<string, string>();
  let listening: PostgresClient | null = null;
  let retry: NodeJS.Timeout | null = null;

  const isOn = (): boolean => listeners.size > 0;

  const begin = async (): Promise<void> => {
    try {
      const [row] = (await session.rows('watch', { text: `SELECT ${horizon}` })) as readonly ChangedRow[];
      if (isOn()) since = row?.horizon ?? null;
    } finally {
      beginning = null;
    }
  };

  const begun = async (): Promise<void> => {
    if (isOn() && since === null) await (beginning ??= begin());
  };

  const find = async (): Promise<readonly string[]> => {
    const node = await session.node();
    await begun();
    const text = `SELECT t.task_id, t.changed::text AS changed, ${horizon} FROM (SELECT 1) AS once LEFT JOIN
      "${schema}".task AS t ON t.changed >= $1::xid8 AND t.writer <> $2::uuid`;
    const rows = (await session.rows('watch', { text, values: [since, node] })) as readonly ChangedRow[];
    since = rows[0]?.horizon ?? since;
    const before = known;
    known = new Map();
    const found: string[] = [];
    for (const { task_id: taskId, changed } of rows) {
      if (taskId === null || changed === null) continue;
      const name = nameOfBytes(taskId);
      known.set(name, changed);
      if (before.get(name) !== changed) found.push(name);
    }
    return found;
  };

  const wind = (): void => {
    timer = setTimeout(() => void pollNow(), poll).unref();
  };

  /** Polls, and again if a report came meanwhile. A failure is of no account: the next poll finds the same. */
  const pollNow = async (): Promise<void> => {
    if (isPolling) {
      isMissed = true;
      return;
    }
    isPolling = true;
    if (timer !== null) clearTimeout(timer);
    do {
      isMissed = false;
      const found = await find().catch(() => []);
      if (found.length > 0) for (const { changed } of listeners) changed(found);
    } while (isMissed && isOn());
    isPolling = false;
    if (isOn()) wind();
  };

  const drop = (client: PostgresClient): void => {
    if (listening !== client) return;
    listening = null;
    client.release(true);
    if (isOn()) retry = setTimeout(() => void listen(), retryDelay).unref();
  };

  const listen = async (): Promise<void> => {
    try {
      const client = await session.connect();
      if (!isOn() || listening !== null) return client.release();
      listening = client;
      client.on('error', () => drop(client));
      client.on('end', () => drop(client));
      client.on('notification', () => void pollNow());
      const { rows } = await client.query({ text: 'SELECT pg_backend_pid() AS pid' });
      const [{ pid } = { pid: null }] = rows as readonly { readonly pid: number | null }[];
      if (client.processID !== pid) {
        listening = null; // a pooler is in between
        return client.release();
      }
      await client.query({ text: listenTo(schema) });
    } catch {
      if (listening !== null) drop(listening);
      else if (isOn()) retry = setTimeout(() => void listen(), retryDelay).unref();
    }
  };

  const stop = (): void => {
    if (timer !== null) clearTimeout(timer);
    if (retry !== null) clearTimeout(retry);
    since = null;
    known = new Map();
    const client = listening;
    listening = null;
    client?.release(true);
  };

  return {
    begun,
    add: (changed) => {
      const entry = { changed };
      listeners.add(entry);
      if (listeners.size === 1) {
        void pollNow();
        void listen();
      }
      return () => {
        if (listeners.delete(entry) && !isOn()) stop();
      };
    },
    close: () => {
      listeners.clear();
      stop();
    },
  };
};
