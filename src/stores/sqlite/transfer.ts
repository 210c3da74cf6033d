import type { NameKind, StoredName, TaskCopy } from '../../base/ports/store.ts';
import { unheld } from '../shared.ts';
import { asText, type Connection } from './connection.ts';
import { bytesOfName, nameOfBytes, textOfBytes } from './names.ts';
import { findTask, ownerOf, rowsOf, stepsIn } from './read.ts';
import { prunedIn } from './retention.ts';
import { claimsOf } from './regulation.ts';
import { rowOf } from './task-index.ts';
import { insertCopy } from './write.ts';

const currentFence = (connection: Connection): number => {
  const [owner] = connection.rows('SELECT number FROM owner') as readonly { readonly number: number }[];
  return owner?.number ?? 0;
};

/** Reads a task with all its steps. */
export const copyOf = (connection: Connection, taskId: string): TaskCopy | undefined =>
  connection.transaction('DEFERRED', () => {
    const found = findTask(connection, taskId);
    const row = rowOf(connection, taskId);
    if (found === undefined || row === undefined) return undefined;
    const { indexEntry, snapshot, deadlines, intents } = found;
    const steps = rowsOf(connection, row).flatMap((one) => stepsIn(connection, one, taskId).bodies);
    const fence = currentFence(connection);
    const claims = claimsOf(connection, row);
    return { ...unheld, indexEntry, steps, snapshot, deadlines, intents, claims, fence };
  });

/** Writes a task whole; returns the ids of its rows of steps, or `null` if there is one of its id. */
export const writeCopy = (connection: Connection, copy: TaskCopy): readonly number[] | null => {
  const { taskId } = copy.indexEntry;
  return rowOf(connection, taskId) !== undefined ? null : insertCopy(connection, copy);
};

const taskName = ownerOf('n.task');

/** Where names are: the column of the name, what it is of, and the order of those of one name. */
const tables = {
  key: { table: 'stepKey', column: '"key"', of: taskName, order: '' },
  message: { table: 'message', column: 'id', of: taskName, order: ', record' },
  approval: { table: 'approval', column: 'jti', of: 'CAST(action AS BLOB)', order: '' },
} as const;

interface NameRow {
  readonly name: ArrayBuffer;
  readonly of: ArrayBuffer;
  readonly seq: number;
}

const boundName = (kind: NameKind, name: string): string | Uint8Array =>
  kind === 'approval' ? name : bytesOfName(name);

/** Returns a page of names. */
export const namesAfter = (
  connection: Connection,
  kind: NameKind,
  after: string | null,
  limit: number,
): readonly StoredName[] => {
  const { table, column, of, order } = tables[kind];
  const where = after === null ? '' : `WHERE ${column} > ?`;
  const found = connection.cells(
    `SELECT ${asText(column, 'name')}, ${of} AS "of", seq FROM ${table} AS n
    WHERE ${column} IN (SELECT DISTINCT ${column} FROM ${table} ${where} ORDER BY ${column} LIMIT ?)
    ORDER BY ${column}${order}`,
    ...(after === null ? [] : [boundName(kind, after)]),
    limit,
  ) as readonly NameRow[];
  const text = kind === 'approval' ? textOfBytes : nameOfBytes;
  return found.map(({ name, of: its, seq }) => ({ name: text(name), of: text(its), seq }));
};

/** The row of a task, also of a pruned one. */
const task =
  '(SELECT id FROM (SELECT id, taskId FROM task UNION ALL SELECT id, taskId FROM pruned) WHERE taskId = ?)';

/** Statements that write a name: `of`, its name and its number are bound in this order. They change nothing on conflict. */
const statements: Readonly<Record<NameKind, string>> = {
  key: `INSERT INTO stepKey (task, "key", seq) VALUES (${task}, ?, ?)
    ON CONFLICT ("key") DO UPDATE SET seq = excluded.seq WHERE task = excluded.task AND seq = excluded.seq`,
  message: `INSERT INTO message (task, id, seq, record) SELECT its, name, number,
      (SELECT coalesce(max(record), 0) + 1 FROM message WHERE id = name)
    FROM (SELECT ${task} AS its, ? AS name, ? AS number)
    WHERE NOT EXISTS (SELECT 1 FROM message WHERE id = name AND task = its AND seq = number)`,
  approval: `INSERT INTO approval (action, jti, seq) VALUES (?, ?, ?)
    ON CONFLICT (jti) DO UPDATE SET seq = max(seq, excluded.seq) WHERE action = excluded.action`,
};

/** Rolls back names that belong to others. */
class Conflict extends Error {}

const writeName = (connection: Connection, kind: NameKind, { name, of, seq }: StoredName): void => {
  const isTask = kind !== 'approval';
  if (isTask && (rowOf(connection, of) ?? prunedIn(connection, { taskId: of })) === undefined)
    throw new Conflict();
  const changed = connection.run(statements[kind], isTask ? bytesOfName(of) : of, boundName(kind, name), seq);
  if (changed === 0 && kind !== 'message') throw new Conflict();
};

/** Writes names, or none of them. */
export const writeNames = (
  connection: Connection,
  kind: NameKind,
  names: readonly StoredName[],
): 'ok' | 'conflict' => {
  try {
    connection.savepoint(() => {
      for (const one of names) writeName(connection, kind, one);
    });
    return 'ok';
  } catch (error) {
    if (error instanceof Conflict) return 'conflict';
    throw error;
  }
};
