import type { PrunedTask, Retention } from '../../base/ports/retention.ts';
import type { Connection } from './connection.ts';
import { bytesOfName, nameOfBytes } from './names.ts';
import { taskIndexOf } from './task-index.ts';

interface Row {
  readonly id: number;
  readonly threadId: ArrayBuffer;
  readonly at: number;
}

const rowOf = (
  connection: Connection,
  { taskId, size }: Parameters<Retention['prune']>[0][number],
): Row | undefined =>
  (
    connection.cells(
      'SELECT id, threadId, at FROM task WHERE taskId = ? AND size = ? AND isSettled = 1',
      bytesOfName(taskId),
      size,
    ) as readonly Row[]
  )[0];

/** Other tasks than those that are marked, of their threads or families, or whose ids must not be given again. */
const others = `SELECT 1 FROM pruning AS p CROSS JOIN task AS t ON t.id = p.id WHERE
  EXISTS (SELECT 1 FROM task AS o INDEXED BY taskOfThread WHERE o.threadId = t.threadId AND o.id NOT IN (SELECT id FROM pruning))
  OR EXISTS (SELECT 1 FROM task AS o INDEXED BY taskOfParent WHERE o.parent = t.taskId AND o.id NOT IN (SELECT id FROM pruning))
  OR EXISTS (SELECT 1 FROM task AS o WHERE o.taskId = t.parent AND o.id NOT IN (SELECT id FROM pruning))
  OR t.id = (SELECT max(id) FROM task)
  OR t.id = (SELECT task FROM record ORDER BY id DESC LIMIT 1) LIMIT 1`;

/** Removes tasks, within a transaction. */
export const pruneTasks = (
  connection: Connection,
  tasks: Parameters<Retention['prune']>[0],
  at: number,
): boolean => {
  const rows = tasks.map((task) => ({
    ...task,
    row: rowOf(connection, task),
    head: taskIndexOf(connection, { taskId: task.taskId })[0]?.head ?? '',
  }));
  if (rows.some(({ row, head }) => row === undefined || head === '')) return false; // what is damaged stays
  connection.script('CREATE TEMP TABLE IF NOT EXISTS pruning (id INTEGER PRIMARY KEY); DELETE FROM pruning');
  for (const { row } of rows) connection.run('INSERT INTO pruning VALUES (?)', row?.id ?? 0);
  if (connection.rows(others).length > 0) return false;
  for (const { size, row, head } of rows) {
    if (row === undefined) continue;
    connection.run(
      'INSERT INTO pruned (id, taskId, threadId, size, head, at, prunedAt) SELECT id, taskId, threadId, ?, ?, at, ? FROM task WHERE id = ?',
      size,
      bytesOfName(head),
      at,
      row.id,
    );
  }
  connection.script(`DELETE FROM record WHERE task IN (SELECT id FROM pruning);
    DELETE FROM claim WHERE task IN (SELECT id FROM pruning) AND "window" = '';
    DELETE FROM task WHERE id IN (SELECT id FROM pruning); DELETE FROM pruning`);
  return true;
};

interface PrunedRow extends Omit<PrunedTask, 'taskId' | 'threadId' | 'head'> {
  readonly taskId: ArrayBuffer;
  readonly threadId: ArrayBuffer;
  readonly head: ArrayBuffer;
}

const columns = 'taskId, threadId, size, head, at, prunedAt';

const taskIn = ({ taskId, threadId, head, ...rest }: PrunedRow): PrunedTask => ({
  ...rest,
  taskId: nameOfBytes(taskId),
  threadId: nameOfBytes(threadId),
  head: nameOfBytes(head),
});

export const prunedIn = (
  connection: Connection,
  by: Parameters<Retention['pruned']>[0],
): PrunedTask | undefined => {
  const [column, name] = 'taskId' in by ? ['taskId', by.taskId] : ['threadId', by.threadId];
  const sql = `SELECT ${columns} FROM pruned WHERE ${column} = ? ORDER BY id DESC LIMIT 1`;
  return (connection.cells(sql, bytesOfName(name)) as readonly PrunedRow[]).map(taskIn)[0];
};

/** Returns a page of pruned tasks. */
export const prunedAfter = (
  connection: Connection,
  after: string | null,
  limit: number,
): readonly PrunedTask[] => {
  const from = after === null ? 0 : 'coalesce((SELECT id FROM pruned WHERE taskId = ?), 0)';
  const sql = `SELECT ${columns} FROM pruned WHERE id > ${from} ORDER BY id LIMIT ?`;
  const values = after === null ? [limit] : [bytesOfName(after), limit];
  return (connection.cells(sql, ...values) as readonly PrunedRow[]).map(taskIn);
};

/** Gives them ids that no task has or will have. */
export const writePruned = (connection: Connection, tasks: readonly PrunedTask[]): void => {
  for (const { taskId, threadId, size, head, at, prunedAt } of tasks)
    connection.run(
      `INSERT INTO pruned (id, ${columns})
      SELECT min(0, (SELECT coalesce(min(id), 0) FROM pruned)) - 1, ?, ?, ?, ?, ?, ? WHERE true ON CONFLICT (taskId) DO NOTHING`,
      bytesOfName(taskId),
      bytesOfName(threadId),
      size,
      bytesOfName(head),
      at,
      prunedAt,
    );
};
