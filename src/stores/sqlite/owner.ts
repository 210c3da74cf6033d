import { CharterError } from '../../errors.ts';
import { connect } from './connection.ts';
import { isBusy } from './trouble.ts';

/** Of several that try at the same moment none would get the lock if none waited; milliseconds. */
const patience = 100;

const owned = (store: string, cause: unknown): CharterError => {
  const message = `${store}: another orchestrator looks after its tasks; close that one first, or read without owning`;
  return new CharterError('store_owned', message, { store }, { cause });
};

/**
 * Holds a lock in a file beside the database until it is let go, which the end of the process does as well; throws
 * `store_owned` where it is held. The database itself stays open to everybody.
 */
export const takeOwnership = (file: string): (() => void) => {
  const lock = connect(`${file}.owner`, patience);
  try {
    lock.script('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw isBusy(error) ? owned(file, error) : error;
  }
  return () => {
    lock.script('ROLLBACK'); // closing alone would keep the lock until the driver collects its garbage
    lock.close();
  };
};
