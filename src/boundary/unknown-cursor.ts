import { CharterError } from '../errors.ts';

/** Returns the error for a cursor whose task is not in the store. */
export const unknownCursor = (taskId: string): CharterError<'not_found'> =>
  new CharterError(
    'not_found',
    `task ${JSON.stringify(taskId)} of this cursor is not in the store: read again from the first page`,
    { kind: 'cursor', id: taskId, known: [] },
  );
