import { resolve } from 'node:path';
import { CharterError } from '../../errors.ts';
import { connect, type Connection } from './connection.ts';
import { realFile } from './place.ts';
import { prepare } from './prepare.ts';
import { isLasting, troubleOf } from './trouble.ts';

/** How a file is opened, and how long others are waited for (milliseconds). */
export interface Opening {
  readonly timeout: number;
  readonly migrations: readonly string[];
  readonly connect?: typeof connect;
}

export interface Session {
  /** Its name without links: what is beside it is beside it for everybody. */
  readonly file: () => string;
  /** Throws `closed` after the end. */
  readonly check: (operation: string) => void;
  /** Opens the file where it is not open; throws `store_unusable` for the driver's errors. */
  readonly use: <Result>(operation: string, work: (connection: Connection) => Result) => Result;
  readonly close: () => void;
}

const opened = (file: string, { timeout, migrations, connect: open = connect }: Opening): Connection => {
  const connection = open(file, timeout);
  try {
    prepare(connection, file, migrations);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
};

/** Best effort: all of what was written is in the one file then, and what was erased is in none. */
export const gather = (connection: Connection): void => {
  try {
    connection.rows('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // it stays in the log until a later one
  }
};

/** The one connection of a store, opened when it is first used, and again after an error that spoiled it. */
export const createSession = (given: string, opening: Opening): Session => {
  const path = resolve(given);
  let connection: Connection | null = null;
  let isClosed = false;
  const drop = (): void => {
    connection?.close();
    connection = null;
  };
  const check = (operation: string): void => {
    if (isClosed) throw new CharterError('closed', `${operation}: the store is closed`, { operation });
  };
  return {
    file: () => realFile(path),
    check,
    use: (operation, work) => {
      check(operation);
      try {
        connection ??= opened(path, opening);
        return work(connection);
      } catch (error) {
        if (isLasting(error)) drop();
        throw troubleOf(path, error);
      }
    },
    close: () => {
      isClosed = true;
      if (connection !== null) {
        connection.script('PRAGMA busy_timeout = 0');
        gather(connection);
      }
      drop();
    },
  };
};
