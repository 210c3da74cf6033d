import type { PrunedTask, Retention } from '../../base/ports/retention.ts';
import type { Statement } from './driver.ts';
import { bytesOfName, nameOfBytes } from './names.ts';

/** Returns the statement that removes settled tasks, or none of them. */
export const pruneStatement = (
  schema: string,
  tasks: Parameters<Retention['prune']>[0],
  at: number,
): Statement => ({
  text: `SELECT "${schema}".prune_tasks($1::bytea[], $2::integer[], $3) AS done`,
  values: [tasks.map(({ taskId }) => bytesOfName(taskId)), tasks.map(({ size }) => size), at],
});

export const isPruned = (rows: readonly object[]): boolean =>
  (rows as readonly { readonly done: boolean }[])[0]?.done === true;

const columns = 'task_id, thread_id, size, head, at, pruned_at';

interface PrunedRow {
  readonly task_id: Buffer;
  readonly thread_id: Buffer;
  readonly size: number;
  readonly head: string;
  readonly at: number;
  readonly pruned_at: number;
}

export const prunedIn = (rows: readonly object[]): readonly PrunedTask[] =>
  (rows as readonly PrunedRow[]).map(
    ({ task_id: taskId, thread_id: threadId, size, head, at, pruned_at: prunedAt }) => ({
      taskId: nameOfBytes(taskId),
      threadId: nameOfBytes(threadId),
      size,
      head,
      at,
      prunedAt,
    }),
  );

/** Returns the statement that finds a pruned task, or the last one of a thread. */
export const prunedStatement = (schema: string, by: Parameters<Retention['pruned']>[0]): Statement => {
  const [column, name] = 'taskId' in by ? ['task_id', by.taskId] : ['thread_id', by.threadId];
  return {
    text: `SELECT ${columns} FROM "${schema}".pruned WHERE ${column} = $1 ORDER BY id DESC LIMIT 1`,
    values: [bytesOfName(name)],
  };
};

/** Returns the statement that reads a page of pruned tasks. */
export const prunedPageStatement = (schema: string, after: string | null, limit: number): Statement => ({
  text: `SELECT ${columns} FROM "${schema}".pruned
    WHERE $1::bytea IS NULL OR id > (SELECT id FROM "${schema}".pruned WHERE task_id = $1) ORDER BY id LIMIT $2`,
  values: [after === null ? null : bytesOfName(after), limit],
});

/** Returns the statement that writes pruned tasks, at places that no task has or will have. */
export const writePrunedStatement = (schema: string, tasks: readonly PrunedTask[]): Statement => ({
  text: `INSERT INTO "${schema}".pruned (id, ${columns})
    SELECT least(0, (SELECT coalesce(min(id), 0) FROM "${schema}".pruned)) - n.nth, n.task_id, n.thread_id, n.size, n.head, n.at, n.pruned_at
    FROM unnest($1::bytea[], $2::bytea[], $3::integer[], $4::text[], $5::float8[], $6::float8[])
      WITH ORDINALITY AS n (task_id, thread_id, size, head, at, pruned_at, nth)
    ON CONFLICT (task_id) DO NOTHING`,
  values: [
    tasks.map(({ taskId }) => bytesOfName(taskId)),
    tasks.map(({ threadId }) => bytesOfName(threadId)),
    tasks.map(({ size }) => size),
    tasks.map(({ head }) => head),
    tasks.map(({ at }) => at),
    tasks.map(({ prunedAt }) => prunedAt),
  ],
});
