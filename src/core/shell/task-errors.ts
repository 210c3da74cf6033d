import { CharterError, isCharterError } from '../../base/errors.ts';
import type { PrunedTask } from '../../base/ports/retention.ts';

/** Returns the reason for which `close` ends work. */
export const closing = (operation = 'perform'): CharterError =>
  Object.freeze(new CharterError('closed', `${operation}: the orchestrator closes`, { operation }));

/** Throws an error again, but for that of work which its orchestrator no longer does. */
export const unlessClosed = (error: unknown): void => {
  if (!isCharterError(error, 'closed')) throw error;
};

/** Returns the reason for aborting work of a task that another process took over. */
export const takenOver = (taskId: string, fence: number): CharterError => {
  const message = `task ${taskId} is held by another process: its work here is aborted, and not recorded`;
  return Object.freeze(new CharterError('task_fenced', message, { taskId, fence }));
};

/** Returns the error of a record that comes after its task was closed. */
export const recordsNoMore = (taskId: string): CharterError => {
  const message = `record: the orchestrator is closed, and task ${taskId} records nothing more; create a new one`;
  return new CharterError('closed', message, { operation: 'record' });
};

/** Returns the error for a task that was removed for good. */
export const taskPruned = ({ taskId, head, size, prunedAt }: PrunedTask): CharterError<'task_pruned'> => {
  const at = new Date(prunedAt).toISOString();
  const message = `task ${taskId} settled, and was pruned at ${at}: of its ${size} records the last hash is left, ${head}; read its archive`;
  return new CharterError('task_pruned', message, { taskId, head, size, prunedAt });
};

/** Returns the error for an agent whose task another process performs. */
export const taskHeld = (taskId: string): CharterError<'task_held'> => {
  const message = `task ${taskId} is performed by another process: go on with its run there, or resume it here when it has paused`;
  return new CharterError('task_held', message, { taskId });
};

/** Returns the error for a stored task that differs from its record. */
export const corrupted = (
  taskId: string,
  seq: number,
  reason: string,
  options?: ErrorOptions,
): CharterError<'task_corrupted'> => {
  const remedy = 'run `agentcharter ledger verify`, and restore a backup';
  const message = `task ${taskId} was changed in its store, at record ${seq}: ${reason}; ${remedy}`;
  return new CharterError('task_corrupted', message, { taskId, seq, reason }, options);
};
