import type { PrunedTask, Retention } from '../../base/ports/retention.ts';
import { removeTask, type TaskRow, type Tables } from './tables.ts';

/** Whether another task is of the thread or the family of one of these. */
const isShared = ({ groups, tasks }: Tables, rows: ReadonlySet<TaskRow>): boolean =>
  [...rows].some(({ indexEntry: { taskId, threadId, parent } }) => {
    const near = [
      ...(groups.thread.get(threadId)?.walk(() => true) ?? []),
      ...(groups.parent.get(taskId)?.walk(() => true) ?? []),
    ];
    const above = parent === null ? undefined : tasks.get(parent);
    return (above !== undefined && !rows.has(above)) || near.some((row) => !rows.has(row));
  });

export const pruneTasks = (tables: Tables, given: Parameters<Retention['prune']>[0], at: number): boolean => {
  const rows = new Set<TaskRow>();
  for (const { taskId, size } of given) {
    const row = tables.tasks.get(taskId);
    if (row?.indexEntry.isSettled !== true || row.indexEntry.size !== size) return false;
    rows.add(row);
  }
  if (isShared(tables, rows)) return false;
  for (const row of rows) {
    const { taskId, threadId, size, head, at: last } = row.indexEntry;
    removeTask(tables, row);
    tables.pruned.set(taskId, Object.freeze({ taskId, threadId, size, head, at: last, prunedAt: at }));
  }
  return true;
};

export const prunedIn = (
  { pruned }: Tables,
  by: Parameters<Retention['pruned']>[0],
): PrunedTask | undefined =>
  'taskId' in by
    ? pruned.get(by.taskId)
    : [...pruned.values()].findLast(({ threadId }) => threadId === by.threadId);

export const prunedAfter = (
  { pruned }: Tables,
  after: string | null,
  limit: number,
): readonly PrunedTask[] => {
  const all = [...pruned.values()];
  const from = after === null ? 0 : all.findIndex(({ taskId }) => taskId === after) + 1;
  return all.slice(from, from + limit);
};

export const writePruned = ({ pruned }: Tables, tasks: readonly PrunedTask[]): void => {
  for (const task of tasks) if (!pruned.has(task.taskId)) pruned.set(task.taskId, task);
};
