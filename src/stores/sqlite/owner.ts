import { CharterError } from '../../errors.ts';
import { asText, connect, type Connection } from './connection.ts';
import { isBusy } from './trouble.ts';

/** Of several that try at the same moment none would get the lock if none waited; milliseconds. */
const patience = 100;

const lockOf = (file: string): string => `${file}.owner`;

const owned = (store: string, cause: unknown): CharterError => {
  const message = `${store}: another orchestrator looks after its tasks; close that one first, or read without owning`;
  return new CharterError('store_owned', message, { store }, { cause });
};

const takenOver = (store: string): CharterError => {
  const remedy = `close this orchestrator, and let no one delete or move ${lockOf(store)} while an owner lives`;
  const message = `${store}: another orchestrator took over its tasks, so nothing was written; ${remedy}`;
  return new CharterError('store_owned', message, { store });
};

/**
 * Holds a lock in a file beside the database until it is let go, which the end of the process does as well; throws
 * `store_owned` where it is held. The database itself stays open to everybody.
 */
const takeLock = (file: string): (() => void) => {
  const lock = connect(lockOf(file), patience);
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

/** One owner of a file: no other has the same number and mark, not in a copy of the file either. */
interface Term {
  readonly number: number;
  readonly mark: string;
}

/** Writes the row of the owner anew: whoever wrote it before owns the file no more. */
const beginTerm = (connection: Connection): Term => {
  const sql = `INSERT INTO owner (id, number, mark) VALUES (1, 1, hex(randomblob(16)))
    ON CONFLICT (id) DO UPDATE SET number = number + 1, mark = excluded.mark
    RETURNING number, ${asText('mark')}`;
  const [term] = connection.rows(sql) as readonly Term[];
  if (term === undefined) throw new TypeError('the row of the owner was not written');
  return term;
};

const isCurrent = (connection: Connection, { number, mark }: Term): boolean =>
  connection.rows('SELECT 1 FROM owner WHERE number = ? AND mark = ?', number, mark).length > 0;

/** Whether a store owns its file, and since when. */
interface Ownership {
  /** Makes the store the owner. Throws `store_owned` while another one is, and where another one took over. */
  readonly take: (connection: Connection) => void;
  /** Throws `store_owned` where another one took over; a store that never owned the file is a guest, and may write. */
  readonly check: (connection: Connection) => void;
  readonly end: () => void;
}

/**
 * Keeps two owners from writing. The lock keeps a second one out while the first one lives. Where the lock file was deleted or
 * moved, a second one gets in: it writes the row of the owner, which the first one checks in the transaction of each write.
 */
export const createOwnership = (file: () => string): Ownership => {
  let held: { readonly term: Term; readonly unlock: () => void } | null = null;

  const check = (connection: Connection): void => {
    if (held !== null && !isCurrent(connection, held.term)) throw takenOver(file());
  };

  const begin = (connection: Connection): void => {
    const unlock = takeLock(file());
    try {
      held = { term: beginTerm(connection), unlock };
    } catch (error) {
      unlock();
      throw error;
    }
  };

  return {
    check,
    take: (connection) => (held === null ? begin(connection) : check(connection)),
    end: () => {
      const unlock = held?.unlock;
      held = null;
      unlock?.();
    },
  };
};
