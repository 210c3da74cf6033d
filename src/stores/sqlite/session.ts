import { resolve } from 'node:path';
import { CharterError } from '../../base/errors.ts';
import type { Codec } from '../../base/ports/codec.ts';
import { connect, type Connection } from './connection.ts';
import { newestChecked } from '../codec.ts';
import { placeCheck, realFile } from './place.ts';
import { applicationId } from './layout.ts';
import { prepare, type Layout } from './prepare.ts';
import { isLasting, troubleOf } from './trouble.ts';

/** The options of opening a file; `timeout` in milliseconds. By default it is one of tasks. */
export interface Opening {
  readonly migrations: Layout['migrations'];
  readonly application?: Layout['application'];
  readonly timeout: number;
  readonly codec?: Codec | undefined;
  readonly connect?: typeof connect;
}

export interface Session {
  /** Returns the file name without links, so that additional files have the same place for every process. */
  readonly file: () => string;
  /** Throws `closed` after `close`. */
  readonly check: (operation: string) => void;
  /** Runs work with the connection, and opens it if needed. Throws `store_unusable` for the driver's errors. */
  readonly use: <Result>(operation: string, work: (connection: Connection) => Result) => Result;
  /**
   * Runs work in a transaction with the connection, and commits it off the event loop; `onWritten` is called before the
   * commit. Until it ends, `use` has another connection, which must not write.
   */
  readonly useLater: <Result>(
    operation: string,
    work: (connection: Connection) => Result,
    onWritten: (result: Result) => void,
  ) => Promise<Result>;
  /** Returns `store_unusable` for an error of the driver, and any other error as it is. */
  readonly trouble: (error: unknown) => unknown;
  readonly close: () => void;
}

const newestIn = (connection: Connection): readonly ArrayBuffer[] =>
  (
    connection.cells(
      `SELECT CAST(body AS BLOB) AS body FROM record ORDER BY id DESC LIMIT ${newestChecked}`,
    ) as readonly { readonly body: ArrayBuffer }[]
  ).map(({ body }) => body);

const opened = (
  file: string,
  { timeout, codec, migrations, application = applicationId, connect: open = connect }: Opening,
): Connection => {
  const connection = open(file, timeout, codec);
  try {
    prepare(connection, file, { migrations, application });
    if (application === applicationId) connection.coding.check(newestIn(connection));
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
};

/** Moves the log into the main file, so that erased data is in neither. Best effort. */
export const gather = (connection: Connection): void => {
  try {
    connection.rows('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // a later checkpoint does it
  }
};

/** Creates the connection of a store. It opens at first use, and reopens after an error that broke it. */
export const createSession = (given: string, opening: Opening): Session => {
  const path = resolve(given);
  const connections: { writer: Connection | null; reader: Connection | null } = {
    writer: null,
    reader: null,
  };
  /** Whether the writer commits, so that only the reader may be used. */
  let isCommitting = false;
  let isClosed = false;
  const checkPlace = placeCheck(path);
  let isOpened = false;
  /** Opens the file; another one than the first is not opened, and none is made in its place. */
  const openedHere = (): Connection => {
    if (isOpened) checkPlace();
    const connection = opened(path, opening);
    isOpened = true;
    return connection;
  };
  const drop = (which: keyof typeof connections): void => {
    connections[which]?.close();
    connections[which] = null;
  };
  const check = (operation: string): void => {
    if (isClosed)
      throw new CharterError('closed', `${operation}: the store is closed; create a new one`, { operation });
  };
  return {
    file: () => realFile(path),
    check,
    use: (operation, work) => {
      check(operation);
      const which = isCommitting ? 'reader' : 'writer';
      try {
        const connection = (connections[which] ??= openedHere());
        checkPlace();
        const result = work(connection);
        checkPlace(); // it may have happened meanwhile
        return result;
      } catch (error) {
        if (isLasting(error)) drop(which);
        throw troubleOf(path, error);
      }
    },
    useLater: async (operation, work, onWritten) => {
      check(operation);
      try {
        const writer = (connections.writer ??= openedHere());
        checkPlace();
        const [result, committed] = writer.transactionLater(() => work(writer));
        isCommitting = true;
        onWritten(result);
        await committed;
        checkPlace();
        return result;
      } catch (error) {
        if (isLasting(error)) drop('writer');
        throw troubleOf(path, error);
      } finally {
        isCommitting = false;
      }
    },
    trouble: (error) => troubleOf(path, error),
    close: () => {
      isClosed = true;
      drop('reader');
      if (connections.writer !== null) {
        connections.writer.script('PRAGMA busy_timeout = 0');
        gather(connections.writer);
      }
      drop('writer');
    },
  };
};
