import { CharterError } from '../../errors.ts';

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
