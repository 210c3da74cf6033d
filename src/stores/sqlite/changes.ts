import { pragma, type Bound, type Connection } from './connection.ts';
import { nameOfBytes } from './names.ts';

/** Tasks that others changed. Until `accept` is called, they are found again. */
export interface Found {
  readonly taskIds: readonly string[];
  readonly accept: () => void;
}

/** Detects records that other connections wrote. */
export interface Changes {
  /** Starts detection: everything so far is known. */
  readonly begin: (connection: Connection) => void;
  /** Registers a record of our own that is about to be committed, by its row id. */
  readonly writing: (record: number) => void;
  /** Registers a record of our own that was committed. */
  readonly wrote: (record: number) => void;
  /** Forgets a record of our own, which was not committed, or is not looked for. */
  readonly forget: (record: number) => void;
  readonly find: (connection: Connection) => Found;
}

const since = `SELECT record.id, task.taskId FROM record JOIN task ON task.id = record.task
  WHERE record.id > ? ORDER BY record.id`;

export const createChanges = (): Changes => {
  /** The last known record, and our own records after it. */
  let last = 0;
  const ownRecords = new Set<number>();
  /** A version that changes only if another connection writes. */
  let lastVersion: { readonly connection: Connection; readonly version: Bound } | null = null;

  const forgetKnown = (): void => {
    for (const id of ownRecords) if (id <= last) ownRecords.delete(id);
  };

  return {
    begin: (connection) => {
      lastVersion = { connection, version: pragma(connection, 'data_version') };
      const [row] = connection.rows('SELECT coalesce(max(id), 0) AS id FROM record') as readonly {
        id: number;
      }[];
      last = row?.id ?? 0;
      forgetKnown();
    },
    writing: (record) => void ownRecords.add(record),
    wrote: (record) => {
      ownRecords.add(record);
      if (record !== last + 1) return;
      last = record;
      ownRecords.delete(record);
    },
    forget: (record) => void ownRecords.delete(record),
    find: (connection) => {
      const now = { connection, version: pragma(connection, 'data_version') };
      if (lastVersion?.connection === connection && lastVersion.version === now.version) {
        return { taskIds: [], accept: () => {} };
      }
      const rows = connection.cells(since, last) as readonly { id: number; taskId: ArrayBuffer }[];
      const others = rows.filter(({ id }) => !ownRecords.has(id));
      return {
        taskIds: [...new Set(others.map(({ taskId }) => nameOfBytes(taskId)))],
        accept: () => {
          lastVersion = now;
          last = rows.at(-1)?.id ?? last;
          forgetKnown();
        },
      };
    },
  };
};
