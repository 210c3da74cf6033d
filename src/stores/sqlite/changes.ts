import { pragma, asText, type Bound, type Connection } from './connection.ts';

/** Tasks that others changed. Until `accept` is called, they are found again. */
export interface Found {
  readonly taskIds: readonly string[];
  readonly accept: () => void;
}

/** Detects records that other connections wrote. */
export interface Changes {
  /** Starts detection: everything so far is known. */
  readonly begin: (connection: Connection) => void;
  /** Registers a record of our own, by its row id. */
  readonly wrote: (record: number) => void;
  readonly find: (connection: Connection) => Found;
}

const since = `SELECT record.id, ${asText('task.taskId', 'taskId')} FROM record JOIN task ON task.id = record.task
  WHERE record.id > ? ORDER BY record.id`;

export const createChanges = (): Changes => {
  /** The last known record, and our own records after it. */
  let last = 0;
  const ours = new Set<number>();
  /** A version that changes only if another connection writes. */
  let seen: { readonly connection: Connection; readonly version: Bound } | null = null;

  return {
    begin: (connection) => {
      seen = { connection, version: pragma(connection, 'data_version') };
      const [row] = connection.rows('SELECT coalesce(max(id), 0) AS id FROM record') as readonly {
        id: number;
      }[];
      last = row?.id ?? 0;
      ours.clear();
    },
    wrote: (record) => {
      if (record === last + 1) last = record;
      else ours.add(record);
    },
    find: (connection) => {
      const now = { connection, version: pragma(connection, 'data_version') };
      if (seen?.connection === connection && seen.version === now.version) {
        return { taskIds: [], accept: () => {} };
      }
      const rows = connection.rows(since, last) as readonly { id: number; taskId: string }[];
      const others = rows.filter(({ id }) => !ours.has(id));
      return {
        taskIds: [...new Set(others.map(({ taskId }) => taskId))],
        accept: () => {
          seen = now;
          last = rows.at(-1)?.id ?? last;
          for (const id of ours) if (id <= last) ours.delete(id);
        },
      };
    },
  };
};
