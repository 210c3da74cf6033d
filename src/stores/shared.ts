import { CharterError } from '../base/errors.ts';
import type { Emission } from '../base/ports/emission.ts';
import type { Deadline, StoredStep, TaskCopy } from '../base/ports/store.ts';

/** Returns the error for a cursor whose task is not in the store. */
export const unknownCursor = (taskId: string): CharterError<'not_found'> =>
  new CharterError(
    'not_found',
    `task ${JSON.stringify(taskId)} of this cursor is not in the store: read again from the first page`,
    { kind: 'cursor', id: taskId, known: [] },
  );

/** Returns a `store_unusable` error with the store, the reason and the remedy. */
export const unusable = (
  store: string,
  reason: string,
  remedy: string,
  options?: ErrorOptions,
): CharterError<'store_unusable'> =>
  new CharterError('store_unusable', `${store}: ${reason}; ${remedy}`, { store, reason }, options);

/** Returns the error of a task that was changed in its store. */
export const corrupted = (taskId: string, seq: number, reason: string, cause?: unknown): CharterError => {
  const message = `task ${taskId} was changed in its store, at record ${seq}: ${reason}; restore a backup`;
  return new CharterError('task_corrupted', message, { taskId, seq, reason }, { cause });
};

/** Parses JSON that we wrote. Throws `task_corrupted`. */
export const parsed = (text: string, taskId: string, seq: number): unknown => {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw corrupted(taskId, seq, 'what is stored is not JSON', cause);
  }
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isStep = (value: unknown): value is StoredStep =>
  isObject(value) &&
  'record' in value &&
  isObject(value.record) &&
  'brought' in value.record &&
  isObject(value.record.brought) &&
  'emissions' in value &&
  Array.isArray(value.emissions);

/** Returns a stored step as it was parsed. Throws `task_corrupted`. */
export const stepOf = (value: unknown, taskId: string, seq: number): StoredStep => {
  if (!isStep(value)) throw corrupted(taskId, seq, 'what is stored is not a step');
  return value;
};

/** Returns the time of the first deadline, by which due tasks are found; `null` for none. */
export const firstOf = (deadlines: readonly Deadline[]): number | null =>
  deadlines.length === 0 ? null : Math.min(...deadlines.map(({ at }) => at));

/** Returns the name by which an emission is found; `null` if it is no message. */
export const messageOf = ({ name, document }: Emission): string | null =>
  name === 'UpFormatMessage' || name === 'ReceivedMessage' ? document.messageId : null;

/** Returns the names of the messages of a step. */
export const messagesIn = ({ emissions }: Pick<StoredStep, 'emissions'>): readonly string[] =>
  emissions.flatMap((emission) => (emission && messageOf(emission)) ?? []);

/** What a store with a lock says of a task besides what it keeps. */
export const unheld = { needs: null, lapsed: null, attempts: 0, isHeld: false } satisfies Partial<TaskCopy>;
