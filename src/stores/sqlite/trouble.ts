import { causeOf } from '../../base/errors.ts';
import { unusable } from '../shared.ts';

/** The reason and remedy for each of SQLite's primary result codes. */
const troubles: Readonly<Record<number, readonly [reason: string, remedy: string]>> = {
  3: ['access was denied (SQLITE_PERM)', 'let this process read and write the file and its folder'],
  5: ['it is locked by others (SQLITE_BUSY)', 'try again when they have finished, or raise `timeout`'],
  6: ['it is locked by others (SQLITE_LOCKED)', 'try again when they have finished'],
  8: [
    'it cannot be written (SQLITE_READONLY)',
    'let this process write the file, the files beside it, and its folder',
  ],
  10: ['reading or writing failed (SQLITE_IOERR)', 'check the disk, then try again'],
  11: ['it is damaged (SQLITE_CORRUPT)', 'restore a backup'],
  13: ['the disk is full (SQLITE_FULL)', 'free some space, then try again'],
  14: ['it cannot be opened (SQLITE_CANTOPEN)', 'create its folder, and give this process access to it'],
  26: [
    'it is not a SQLite database (SQLITE_NOTADB)',
    'name another file; one that does not exist is created',
  ],
};

/** Errors after which the connection stays usable; after any other it is reopened. */
const transientCodes: readonly number[] = [5, 6, 13, 19];

/** Returns the primary result code of a driver error; `null` for any other error. */
const resultCodeOf = (error: unknown): number | null => {
  if (!(error instanceof Error)) return null;
  if ('rawCode' in error && typeof error.rawCode === 'number') return error.rawCode % 256;
  // A failed open has its code only in its message.
  const [, code] = /^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message) ?? [];
  return code === undefined ? null : Number(code) % 256;
};

export const isBusy = (error: unknown): boolean => resultCodeOf(error) === 5;

/** Returns whether the connection should be dropped after this error. */
export const isLasting = (error: unknown): boolean => {
  const code = resultCodeOf(error);
  return code !== null && !transientCodes.includes(code);
};

/** Converts a driver error to `store_unusable`; returns any other error as it is. */
export const troubleOf = (store: string, error: unknown): unknown => {
  const code = resultCodeOf(error);
  if (code === null) return error;
  const [reason, remedy] = troubles[code] ?? [causeOf(error), 'nothing was written'];
  return unusable(store, reason, remedy, { cause: error });
};
