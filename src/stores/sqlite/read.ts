import { CharterError } from '../../errors.ts';
import type { Emission } from '../../ports/emission.ts';
import type { LedgerRecord } from '../../ports/ledger.ts';
import type { Deadline, Intent, Store, StoredTask } from '../../ports/store.ts';
import { asText, type Connection } from './connection.ts';
import { entryColumns, entryIn, type IndexRow } from './task-index.ts';

interface TaskRow extends IndexRow {
  readonly task: number;
  readonly intents: string;
  readonly snapshot: string;
}

/** Parses JSON that we wrote. Throws `task_corrupted` if it is invalid. */
const parsed = (text: string, taskId: string, seq: number): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = 'what is stored is not JSON';
    const message = `task ${taskId} was changed in its store, at record ${seq}: ${reason}; restore a backup`;
    throw new CharterError('task_corrupted', message, { taskId, seq, reason }, { cause });
  }
};

interface TextRow {
  readonly seq: number;
  readonly name: string;
  readonly text: string;
}

/** Returns documents in the order in which they were written. */
const textsIn = (connection: Connection, table: 'document' | 'emission', task: number) =>
  connection.rows(
    `SELECT record.seq, ${asText(`${table}.name`, 'name')}, ${asText(`${table}.text`, 'text')} FROM record JOIN ${table} ON ${table}.record = record.id
    WHERE record.task = ? ORDER BY ${table}.id`,
    task,
  ) as readonly TextRow[];

const recordsIn = (connection: Connection, { task, taskId }: TaskRow): readonly LedgerRecord[] => {
  const brought = new Map<number, [string, unknown][]>();
  for (const { seq, name, text } of textsIn(connection, 'document', task)) {
    brought.set(seq, [...(brought.get(seq) ?? []), [name, parsed(text, taskId, seq)]]);
  }
  const sql = `SELECT seq, ${asText('text')} FROM record WHERE task = ? ORDER BY seq`;
  return (connection.rows(sql, task) as readonly TextRow[]).map(({ seq, text }) => ({
    ...(parsed(text, taskId, seq) as Omit<LedgerRecord, 'brought'>),
    brought: Object.fromEntries(brought.get(seq) ?? []),
  }));
};

const emissionsIn = (connection: Connection, { task, taskId }: TaskRow): readonly Emission[] =>
  textsIn(connection, 'emission', task).map(
    // write.ts stored both from one emission
    ({ seq, name, text }) => ({ name, document: parsed(text, taskId, seq) }) as Emission,
  );

export const deadlinesIn = (connection: Connection, task: number): readonly Deadline[] =>
  (
    connection.rows(
      `SELECT ${asText('"of"')}, ${asText('id')}, at FROM deadline WHERE task = ? ORDER BY position`,
      task,
    ) as readonly Deadline[]
  ).map(({ of, id, at }) => ({ of, id, at }));

/** Loads a task in one transaction. */
export const loadTask = (connection: Connection, taskId: string): StoredTask | undefined =>
  connection.transaction('DEFERRED', () => {
    const sql = `SELECT id AS task, ${asText('intents')}, ${asText('snapshot')}, ${entryColumns} FROM task WHERE taskId = ?`;
    const [row] = connection.rows(sql, taskId) as readonly TaskRow[];
    if (row === undefined) return undefined;
    return {
      indexEntry: entryIn(row),
      snapshot: row.snapshot,
      records: recordsIn(connection, row),
      emissions: emissionsIn(connection, row),
      deadlines: deadlinesIn(connection, row.task),
      intents: parsed(row.intents, taskId, row.size - 1) as readonly Intent[],
    };
  });

interface Place {
  readonly taskId: string;
  readonly seq: number;
}

export const placeOf = (connection: Connection, by: Parameters<Store['find']>[0]): Place | undefined => {
  const place = `SELECT ${asText('task.taskId', 'taskId')}, record.seq FROM record JOIN task ON task.id = record.task`;
  const [found] =
    'key' in by
      ? (connection.rows(`${place} WHERE record."key" = ?`, by.key) as readonly Place[])
      : (connection.rows(
          `${place} JOIN emission ON emission.record = record.id WHERE emission.messageId = ?
          ORDER BY emission.id LIMIT 1`,
          by.message,
        ) as readonly Place[]);
  return found && { taskId: found.taskId, seq: found.seq };
};

export const dueBy = (connection: Connection, until: number): Awaited<ReturnType<Store['due']>> =>
  connection.transaction('DEFERRED', () => {
    const due = connection.rows(
      `SELECT ${asText('task.taskId', 'taskId')} FROM deadline JOIN task ON task.id = deadline.task WHERE deadline.at <= ?
      GROUP BY task.id ORDER BY min(deadline.at), task.id`,
      until,
    ) as readonly { taskId: string }[];
    const [later] = connection.rows('SELECT min(at) AS at FROM deadline WHERE at > ?', until) as readonly {
      at: number | null;
    }[];
    return { taskIds: due.map(({ taskId }) => taskId), next: later?.at ?? null };
  });
