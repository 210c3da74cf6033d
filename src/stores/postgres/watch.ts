import type { PostgresClient, Statement } from './driver.ts';
import { listenTo, oldestIn } from './layout.ts';
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
  readonly seen: string;
  readonly oldest: number;
}

/** Milliseconds before another attempt to listen. */
const retryDelay = 5_000;

/** What a statement sees: every transaction but those that are open or not begun. */
const seen = 'pg_current_snapshot()::text AS seen';

/** How many transactions a look goes back on another server: its first ones are among them, and old ones of a copy are few. */
const firstOnes = 10_000;

/**
 * Returns the statement that finds what others than `node` changed since a statement saw `since`: by transactions that were
 * not begun then, and by those that were open, so that one which stays open costs nothing. Numbers of another server, from
 * which the tables were restored, lie ahead of this one's: they are no changes.
 *
 * After a fail-over or a restore, this server may not have come to what the last look saw. What changed here since is among
 * its last transactions.
 */
export const changedStatement = (schema: string, since: string | null, node: string): Statement => {
  const found = (which: string): string =>
    `SELECT task_id FROM "${schema}".task WHERE ${which} AND writer <> $2::uuid`;
  const last = 'pg_snapshot_xmax($1::pg_snapshot)';
  const now = 'pg_snapshot_xmax(pg_current_snapshot())';
  const first = `greatest(0, ${now}::text::bigint - ${firstOnes})::text::xid8`;
  const later = `changed >= CASE WHEN ${last} <= ${now} THEN ${last} ELSE ${first} END AND changed < ${now}`;
  // the bound says nothing new, but to the planner: whatever it believes of the numbers, it takes the index
  // what is still open shows no row of its own: such a number is that of another server
  const open = `changed >= pg_snapshot_xmin($1::pg_snapshot) AND changed = ANY (ARRAY(SELECT pg_snapshot_xip($1::pg_snapshot)))
        AND pg_visible_in_snapshot(changed, pg_current_snapshot())`;
  return {
    text: `SELECT changed.task_id, ${seen}, ${oldestIn(schema)} AS oldest FROM (SELECT 1) AS once
      LEFT JOIN (${found(later)} UNION ALL ${found(open)}) AS changed ON true`,
    values: [since, node],
  };
};

/**
 * Creates a watch. It polls: that alone finds every change. Where the server can report changes, it polls at once then. A
 * pooler that gives each transaction another session would drop the reports, and is not asked for them.
 */
export const createWatch = (session: Session, schema: string, poll: number): Watch => {
  const listeners = new Set<{ readonly changed: Changed }>();
  let timer: NodeJS.Timeout | null = null;
  let isPolling = false;
  let isMissed = false;
  /** What the last poll saw; `null` before the first one. */
  let since: string | null = null;
  let beginning: Promise<void> | null = null;
  let listening: PostgresClient | null = null;
  let retry: NodeJS.Timeout | null = null;

  const isOn = (): boolean => listeners.size > 0;

  const begin = async (): Promise<void> => {
    try {
      const [row] = (await session.rows('watch', { text: `SELECT ${seen}` })) as readonly ChangedRow[];
      if (isOn()) since = row?.seen ?? null;
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
    const rows = (await session.rows(
      'watch',
      changedStatement(schema, since, node),
    )) as readonly ChangedRow[];
    if (isOn()) since = rows[0]?.seen ?? since;
    session.checkLayout(rows[0]?.oldest ?? 0);
    return rows.flatMap(({ task_id: taskId }) => (taskId === null ? [] : nameOfBytes(taskId)));
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
