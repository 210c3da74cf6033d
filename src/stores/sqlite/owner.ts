import { CharterError } from '../../base/errors.ts';
import { asText, connect, type Connection } from './connection.ts';
import { isBusy } from './trouble.ts';

/** The wait for the lock in milliseconds. Without a wait, simultaneous attempts would all fail. */
const lockTimeout = 100;

const lockOf = (file: string): string => `${file}.owner`;

const owned = (store: string, cause: unknown): CharterError => {
  const remedy =
    "close that one first, or read and answer beside it with createOrchestrator and role: 'guest'";
  const message = `${store}: another orchestrator owns it; ${remedy}`;
  return new CharterError('store_owned', message, { store }, { cause });
};

const takenOver = (store: string): CharterError => {
  const remedy = `close this orchestrator, and let no one delete or move ${lockOf(store)} while an owner lives`;
  const message = `${store}: another orchestrator took over its tasks, so nothing was written; ${remedy}`;
  return new CharterError('store_owned', message, { store });
};

/**
 * Locks a file beside the database and returns a function that unlocks it; the end of the process unlocks it too.
 * Throws `store_owned` if it is locked. The database itself stays open to others.
 */
const takeLock = (file: string): (() => void) => {
  const lock = connect(lockOf(file), lockTimeout);
  try {
    lock.script('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw isBusy(error) ? owned(file, error) : error;
  }
  return () => {
    lock.script('ROLLBACK'); // closing alone keeps the lock until garbage collection
    lock.close();
  };
};

/** One period of ownership, with a number and mark that are unique even over copies of the file. */
interface Term {
  readonly number: number;
  readonly mark: string;
}

/** Rewrites the owner row; the previous owner then no longer owns the file. */
const beginTerm = (connection: Connection): Term => {
  const sql = `INSERT INTO owner (id, number, mark) VALUES (1, 1, hex(randomblob(16)))
    ON CONFLICT (id) DO UPDATE SET number = number + 1, mark = excluded.mark
    RETURNING number, ${asText('mark')}`;
  const [term] = connection.rows(sql) as readonly Term[];
  if (term === undefined) throw new TypeError('the row of the owner was not written');
  return term;
};

/** Makes the number of the owner row at least this one; returns it. */
const raiseNumber = (connection: Connection, fence: number): number => {
  const sql = `INSERT INTO owner (id, number, mark) VALUES (1, ?, hex(randomblob(16)))
    ON CONFLICT (id) DO UPDATE SET number = max(number, excluded.number) RETURNING number`;
  const [row] = connection.rows(sql, fence) as readonly { readonly number: number }[];
  return row?.number ?? fence;
};

const isCurrent = (connection: Connection, { number, mark }: Term): boolean =>
  connection.rows('SELECT 1 FROM owner WHERE number = ? AND mark = ?', number, mark).length > 0;

/** A store's ownership of its file. */
export interface Ownership {
  /**
   * Makes the store the owner, and returns the number of its term, which is its fence. Throws `store_owned` while another
   * one is, and after another one took over.
   */
  readonly take: (connection: Connection) => number;
  /**
   * Throws `store_owned` after another store took over. A store that never took the file is a guest, and may write.
   */
  readonly check: (connection: Connection) => void;
  /** Makes the number of the term at least this one, within a transaction. */
  readonly raise: (connection: Connection, fence: number) => void;
  /** Returns whether this is the fence of the current term of this store. */
  readonly isCurrent: (fence: number) => boolean;
  readonly end: () => void;
}

/**
 * Prevents two owners from writing. The lock excludes a second owner while the first one lives. If the lock file was
 * deleted or moved, a second owner rewrites the owner row, which the first one checks in the transaction of each
 * write.
 */
export const createOwnership = (file: () => string): Ownership => {
  let held: { readonly term: Term; readonly unlock: () => void } | null = null;

  const check = (connection: Connection): void => {
    if (held !== null && !isCurrent(connection, held.term)) throw takenOver(file());
  };

  const begin = (connection: Connection): number => {
    const unlock = takeLock(file());
    try {
      const term = beginTerm(connection);
      held = { term, unlock };
      return term.number;
    } catch (error) {
      unlock();
      throw error;
    }
  };

  return {
    check,
    raise: (connection, fence) => {
      const number = raiseNumber(connection, fence);
      if (held !== null) held = { ...held, term: { ...held.term, number } };
    },
    isCurrent: (fence) => held?.term.number === fence,
    take: (connection) => {
      if (held === null) return begin(connection);
      check(connection);
      return held.term.number;
    },
    end: () => {
      const unlock = held?.unlock;
      held = null;
      unlock?.();
    },
  };
};
