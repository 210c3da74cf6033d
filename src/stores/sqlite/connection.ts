import { createRequire } from 'node:module';
import type Libsql from 'libsql';
import { createPrivately } from './place.ts';
import { unusable } from './trouble.ts';

/** What may be bound: the driver ends the process on any other value. */
export type Bound = string | number | null;

export interface Connection {
  /** What a statement selects, by the names of its columns. */
  readonly rows: (sql: string, ...values: readonly Bound[]) => readonly object[];
  readonly run: (sql: string, ...values: readonly Bound[]) => void;
  /** The number of the row that was inserted. */
  readonly insert: (sql: string, ...values: readonly Bound[]) => number;
  /** Several statements, without values. */
  readonly script: (sql: string) => void;
  /** Takes back what was done where the work throws. */
  readonly transaction: <Result>(kind: 'DEFERRED' | 'IMMEDIATE', work: () => Result) => Result;
  readonly close: () => void;
}

const peer = 'libsql';

const loadDriver = (file: string): typeof Libsql => {
  try {
    // `require` gives no types: these are the peer's own
    return createRequire(import.meta.url)(peer) as typeof Libsql;
  } catch (cause) {
    throw unusable(file, 'its driver is missing', `npm install ${peer}`, { cause });
  }
};

const isBound = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || value === null;

const checkBound = (values: readonly Bound[]): readonly Bound[] => {
  const index = values.findIndex((value) => !isBound(value));
  if (index === -1) return values;
  throw new TypeError(`value ${index} is neither a text, a number nor null`);
};

/**
 * Selects a column of text. The driver ends the process where text is not UTF-8, as in a damaged file, and reads no
 * further than U+0000, so that we read the bytes.
 */
export const asText = (column: string, name = column): string => `CAST(${column} AS BLOB) AS ${name}`;

/** What is not UTF-8 any more reads as U+FFFD: the hashes of its own task say so, and no other task suffers. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const decoded = (value: unknown): unknown => (value instanceof ArrayBuffer ? decoder.decode(value) : value);

const rowOf = (columns: object): object =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, decoded(value)]));

/** A connection to a file, which is created where there is none; `timeout` is how long it waits for others, in milliseconds. */
export const connect = (file: string, timeout: number): Connection => {
  const Driver = loadDriver(file);
  createPrivately(file);
  const driver = new Driver(file, { timeout });
  const statements = new Map<string, ReturnType<typeof driver.prepare>>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? driver.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  // Values go in one array: the driver takes a single null for named ones.
  const run: Connection['run'] = (sql, ...values) => void prepared(sql).run(checkBound(values));
  return {
    // its rows are arrays only where that is asked for
    rows: (sql, ...values) => (prepared(sql).all(checkBound(values)) as readonly object[]).map(rowOf),
    run,
    insert: (sql, ...values) => Number(prepared(sql).run(checkBound(values)).lastInsertRowid),
    script: (sql) => void driver.exec(sql),
    transaction: (kind, work) => {
      run(`BEGIN ${kind}`);
      try {
        const result = work();
        run('COMMIT');
        return result;
      } catch (error) {
        if (driver.inTransaction) run('ROLLBACK'); // on some errors SQLite has done it already
        throw error;
      }
    },
    close: () => void driver.close(),
  };
};

/** The one value that a pragma answers. */
export const pragma = (connection: Connection, name: string): Bound => {
  const [row] = connection.rows(`PRAGMA ${name}`);
  return (Object.values(row ?? {}) as readonly Bound[])[0] ?? null;
};
