import { createRequire } from 'node:module';
import type Libsql from 'libsql';
import type Asynchronous from 'libsql/promise';
import type { Codec } from '../../base/ports/codec.ts';
import { textOfBytes } from './names.ts';
import { createPrivately } from './place.ts';
import { codingOf, type Coding } from '../codec.ts';
import { unusable } from '../shared.ts';

/** A value that may be bound. The driver ends the process on any other. */
export type Bound = string | number | null | Uint8Array;

export interface Connection {
  /** How what has content is written and read. */
  readonly coding: Coding;
  /** Returns the selected rows, by column name; bytes are decoded as text. */
  readonly rows: (sql: string, ...values: readonly Bound[]) => readonly object[];
  /** Returns the selected rows, by column name; bytes stay an `ArrayBuffer`. */
  readonly cells: (sql: string, ...values: readonly Bound[]) => readonly object[];
  /** Returns how many rows were changed. */
  readonly run: (sql: string, ...values: readonly Bound[]) => number;
  /** Returns the id of the inserted row. */
  readonly insert: (sql: string, ...values: readonly Bound[]) => number;
  /** Runs several statements without values. */
  readonly script: (sql: string) => void;
  /** Rolls back if the work throws. */
  readonly transaction: <Result>(kind: 'DEFERRED' | 'IMMEDIATE', work: () => Result) => Result;
  /**
   * Runs work in a transaction, and commits it off the event loop. Until the promise settles, nothing else may use this
   * connection. Rolls back if the work throws or the commit fails.
   */
  readonly transactionLater: <Result>(
    work: () => Result,
  ) => readonly [result: Result, committed: Promise<void>];
  /** Within a transaction, undoes the work alone if it throws. */
  readonly savepoint: <Result>(work: () => Result) => Result;
  /** Whether a transaction is open: on some errors SQLite has rolled it back. */
  readonly isInTransaction: () => boolean;
  readonly close: () => void;
}

const peer = 'libsql';

interface Driver {
  readonly Database: typeof Libsql;
  /** The methods of the driver that run in a thread of its own. */
  readonly later: Asynchronous;
}

const loadDriver = (file: string): Driver => {
  try {
    const require = createRequire(import.meta.url);
    // `require` is untyped: these are the peer's own types
    const Database = require(peer) as typeof Libsql;
    const { prototype: later } = require(`${peer}/promise`) as typeof Asynchronous;
    return { Database, later };
  } catch (cause) {
    throw unusable(file, 'its driver is missing', `npm install ${peer}`, { cause });
  }
};

const isBound = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || value === null || value instanceof Uint8Array;

const checkBound = (values: readonly Bound[]): readonly Bound[] => {
  const index = values.findIndex((value) => !isBound(value));
  if (index === -1) return values;
  throw new TypeError(`value ${index} is neither a text, a number, bytes nor null`);
};

/**
 * Returns SQL that selects a text column as bytes. The driver ends the process on text that is not UTF-8, and stops
 * reading at U+0000.
 */
export const asText = (column: string, name = column): string => `CAST(${column} AS BLOB) AS ${name}`;

const decoded = (value: unknown): unknown => (value instanceof ArrayBuffer ? textOfBytes(value) : value);

const rowOf = (columns: object): object =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, decoded(value)]));

/**
 * Connects to a file and creates it if needed; `timeout` is the maximum wait for other processes, in milliseconds.
 */
export const connect = (file: string, timeout: number, codec?: Codec): Connection => {
  const { Database, later } = loadDriver(file);
  createPrivately(file);
  const driver = new Database(file, { timeout });
  const statements = new Map<string, ReturnType<typeof driver.prepare>>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? driver.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  // Values go in one array: the driver takes a single null for named values.
  const cells: Connection['cells'] = (sql, ...values) =>
    // rows are arrays only on request
    prepared(sql).all(checkBound(values)) as readonly object[];
  const run: Connection['run'] = (sql, ...values) => prepared(sql).run(checkBound(values)).changes;
  const begun = <Result>(kind: 'DEFERRED' | 'IMMEDIATE', work: () => Result): Result => {
    run(`BEGIN ${kind}`);
    try {
      return work();
    } catch (error) {
      rollBack();
      throw error;
    }
  };
  const rollBack = (): void => {
    if (driver.inTransaction) run('ROLLBACK'); // on some errors SQLite has already rolled back
  };
  const commitElsewhere = async (): Promise<void> => {
    try {
      // both classes of the driver hold the same handle, and only this one has a method that runs elsewhere
      await later.exec.call(driver, 'COMMIT');
    } catch (error) {
      rollBack();
      throw error;
    }
  };
  return {
    coding: codingOf(codec, file),
    rows: (sql, ...values) => cells(sql, ...values).map(rowOf),
    cells,
    run,
    insert: (sql, ...values) => Number(prepared(sql).run(checkBound(values)).lastInsertRowid),
    script: (sql) => void driver.exec(sql),
    transaction: (kind, work) =>
      begun(kind, () => {
        const result = work();
        run('COMMIT');
        return result;
      }),
    transactionLater: (work) => {
      const result = begun('IMMEDIATE', work);
      return [result, commitElsewhere()];
    },
    savepoint: (work) => {
      run('SAVEPOINT step');
      try {
        const result = work();
        run('RELEASE step');
        return result;
      } catch (error) {
        if (driver.inTransaction) driver.exec('ROLLBACK TO step; RELEASE step');
        throw error;
      }
    },
    isInTransaction: () => driver.inTransaction,
    close: () => void driver.close(),
  };
};

/** Returns the single value of a pragma. */
export const pragma = (connection: Connection, name: string): Bound => {
  const [row] = connection.rows(`PRAGMA ${name}`);
  return (Object.values(row ?? {}) as readonly Bound[])[0] ?? null;
};
