import { CharterError } from '../../base/errors.ts';
import type { Codec } from '../../base/ports/codec.ts';
import { codingOf, newestChecked, type Coding } from '../codec.ts';
import {
  answerIn,
  createPool,
  longestAnswer,
  Silence,
  type PostgresClient,
  type PostgresPool,
  type Statement,
} from './driver.ts';
import { migrations as ours, serverTime } from './layout.ts';
import { prepare, tooOld } from './prepare.ts';
import { isTransient, troubleOf } from './trouble.ts';

/** How a store reaches its server. */
export interface Opening {
  readonly connection: string | PostgresPool;
  readonly schema: string;
  readonly codec?: Codec | undefined;
  readonly migrations?: typeof ours;
  /** Whether it has records, of which the newest must be readable. */
  readonly hasTasks?: boolean;
  /** Whether tables that are missing are created; `true` by default. */
  readonly mayBegin?: boolean;
  /** The oldest layout whose code may use the schema beside this one; by default the one before. */
  readonly oldest?: number;
  /** The longest wait for a lock of another process before the layout is changed; milliseconds, a minute by default. */
  readonly lockWait?: number;
  /** Milliseconds that a pool of its own waits for an answer. */
  readonly answer?: number;
}

/** The connections of a store. */
export interface Session {
  /** The name of the store in errors. */
  readonly name: string;
  /** How what has content is written and read. */
  readonly coding: Coding;
  /** Throws `closed` after `close`. */
  readonly check: (operation: string) => void;
  /** Returns the rows of one statement, and opens the store if needed. Throws `store_unusable` for errors of the driver. */
  readonly rows: (operation: string, statement: Statement) => Promise<readonly object[]>;
  /** Returns the identity of this store among all that hold tasks; the server gives it. */
  readonly node: () => Promise<string>;
  /** Notes the oldest layout whose code may use the schema now: if this is older, everything throws from now on. */
  readonly checkLayout: (oldest: number) => void;
  /** Returns a connection of its own. */
  readonly connect: () => Promise<PostgresClient>;
  /** Returns the time of the server, carried on from its last answer; `null` before it. */
  readonly now: () => number | null;
  readonly close: () => Promise<void>;
}

/** Statements that run at once on a pool of our own, whose other connections listen and change the layout. */
const statementsAtOnce = 8;

/** The maximum number of attempts at a statement that the server rolls back for the sake of another. */
const maxAttempts = 10;

interface Timed {
  readonly now?: number;
}

/** Adds the server's time to a statement that selects; `rows` reads it. */
export const timed = `${serverTime} AS now`;

/** The place of a store without its password. */
const placeOf = (connection: string | PostgresPool, schema: string): string => {
  if (typeof connection !== 'string') return `postgres schema ${schema}`;
  try {
    const { protocol, host, pathname } = new URL(connection);
    return `${protocol}//${host}${pathname} schema ${schema}`;
  } catch {
    return `postgres schema ${schema}`; // a socket folder or `key=value` pairs
  }
};

/** An idle connection that breaks says so by an event; the next statement gets another one. */
const ignore = (): void => {};

const newestIn = (schema: string): Statement => ({
  text: `SELECT body FROM "${schema}".record ORDER BY task DESC, seq DESC LIMIT ${newestChecked}`,
});

/** Creates the connections of a store. They open at the first use. */
export const createSession = ({
  connection,
  schema,
  codec,
  migrations = ours,
  oldest = migrations.length - 1,
  mayBegin = true,
  hasTasks = false,
  lockWait = 60_000,
  answer = longestAnswer,
}: Opening): Session => {
  const name = placeOf(connection, schema);
  const isOurs = typeof connection === 'string';
  const coding = codingOf(codec, name);
  let pool: PostgresPool | null = null;
  let opened: Promise<string> | null = null;
  let isClosed = false;
  /** The error of a schema that another process brought up to date beyond what this one knows. */
  let outdated: CharterError | null = null;
  /** The server's time minus the monotonic time of this process. */
  let offset: number | null = null;

  const poolOf = (): PostgresPool => {
    if (pool !== null) return pool;
    pool = isOurs ? createPool(connection, name, answer) : connection;
    pool.on('error', ignore);
    return pool;
  };

  const check = (operation: string): void => {
    if (!isClosed) return;
    throw new CharterError('closed', `${operation}: the store is closed; create a new one`, { operation });
  };

  const noteTime = (rows: readonly Timed[]): void => {
    const at = rows[0]?.now;
    if (at !== undefined) offset = at - performance.now();
  };

  // a pool counts the wait for one of its connections as time to connect: a burst waits here
  let free = isOurs ? statementsAtOnce : Infinity;
  const waiting: (() => void)[] = [];
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };

  /** Replaces a pool of its own: where one connection says nothing, those beside it may be cut as well. */
  const leave = (silent: PostgresPool): void => {
    if (!isOurs || pool !== silent) return;
    pool = null;
    void silent.end();
  };

  const asked = async (statement: { text: string; values: unknown[] }): Promise<{ rows: object[] }> => {
    const current = poolOf();
    if (!isOurs) return current.query(statement);
    try {
      return await answerIn(answer, current.query(statement));
    } catch (error) {
      if (error instanceof Silence) leave(current);
      throw error;
    }
  };

  const query = async ({ text, values = [] }: Statement): Promise<readonly object[]> => {
    for (let attempt = 1; ; attempt += 1)
      try {
        const { rows } = await inTurn(() => asked({ text, values: [...values] }));
        noteTime(rows);
        return rows;
      } catch (error) {
        if (!isTransient(error) || attempt === maxAttempts) throw troubleOf(name, error);
      }
  };

  const open = async (): Promise<string> => {
    try {
      const node = await prepare({
        pool: poolOf(),
        query,
        name,
        schema,
        migrations,
        oldest,
        mayBegin,
        lockWait,
      });
      if (hasTasks)
        coding.check((await query(newestIn(schema))).map((row) => (row as { readonly body: string }).body));
      return node;
    } catch (error) {
      opened = null; // it is tried again at the next use
      throw troubleOf(name, error);
    }
  };
  const node = (): Promise<string> => (opened ??= open());

  return {
    name,
    coding,
    check,
    node,
    rows: async (operation, statement) => {
      check(operation);
      if (outdated !== null) throw outdated;
      await node();
      return query(statement);
    },
    checkLayout: (allowed) => {
      if (allowed > migrations.length) outdated ??= tooOld(name, allowed);
    },
    connect: async () => {
      await node();
      return poolOf().connect();
    },
    now: () => (offset === null ? null : performance.now() + offset),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await opened?.catch(() => {}); // its error was thrown where it was awaited
      pool?.off('error', ignore);
      if (!isOurs) return;
      pool?.on('error', ignore);
      await pool?.end();
    },
  };
};
