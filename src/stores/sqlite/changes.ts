import { pragma, asText, type Bound, type Connection } from './connection.ts';

/** Tasks that others have written to, and how to say that they are known: until then they are found again. */
export interface Found {
  readonly taskIds: readonly string[];
  readonly accept: () => void;
}

/** Tells what others have written from what was written here. */
export interface Changes {
  /** Everything up to now is known. */
  readonly begin: (connection: Connection) => void;
  /** Takes note of a record of our own, by its number in the file. */
  readonly wrote: (record: number) => void;
  readonly find: (connection: Connection) => Found;
}

const since = `SELECT record.id, ${asText('task.taskId', 'taskId')} FROM record JOIN task ON task.id = record.task
  WHERE record.id > ? ORDER BY record.id`;

export const createChanges = (): Changes => {
  /** The last record that is known, and those of our own after it. */
  let last = 0;
  const ours = new Set<number>();
  /** What changes where another connection writes, and not where this one does. */
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
