import { createRequire } from 'node:module';
import type * as Pg from 'pg';
import { unusable } from '../shared.ts';

/** A statement and its values. It has no name, so that a pooler may run each in another session. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** A connection of a pool, as `pg` has it. */
export interface PostgresClient {
  readonly query: (statement: {
    text: string;
    values?: unknown[];
    query_timeout?: number;
  }) => Promise<{ rows: object[] }>;
  readonly on: (event: 'error' | 'end' | 'notification', listener: () => void) => unknown;
  /** The process of the server; that of a pooler if one is in between. */
  readonly processID?: number | null;
  readonly release: (destroy?: boolean) => void;
}

/** What the store uses of a `Pool` of `pg`. */
export interface PostgresPool {
  readonly query: (statement: { text: string; values?: unknown[] }) => Promise<{ rows: object[] }>;
  readonly connect: () => Promise<PostgresClient>;
  readonly on: (event: 'error', listener: (error: Error) => void) => unknown;
  readonly off: (event: 'error', listener: (error: Error) => void) => unknown;
  readonly end: () => Promise<void>;
}

const peer = 'pg';

/** Milliseconds after which a connection without an answer is destroyed. */
export const longestAnswer = 30_000;

/** A connection that was cut, and says nothing. */
export class Silence extends Error {
  override readonly name = 'Silence';
}

/** Returns an answer; rejects after so many milliseconds without one. One that came while the event loop was busy counts. */
export const answerIn = <Answer>(milliseconds: number, work: Promise<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const say = (): void => reject(new Silence(`no answer in ${milliseconds} ms`));
    const timer = setTimeout(() => setImmediate(say), milliseconds); // what arrived is read in between
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** Creates a pool by the peer `pg`; it waits so long for a connection. Throws `store_unusable` if the peer is missing. */
export const createPool = (connectionString: string, store: string, connect: number): PostgresPool => {
  let driver: typeof Pg;
  try {
    // `require` is untyped: these are the peer's own types
    driver = createRequire(import.meta.url)(peer) as typeof Pg;
  } catch (cause) {
    throw unusable(store, 'its driver is missing', `npm install ${peer}`, { cause });
  }
  return new driver.Pool({
    connectionString,
    application_name: 'agentcharter',
    keepAlive: true,
    allowExitOnIdle: true,
    connectionTimeoutMillis: Math.min(5_000, connect),
    query_timeout: longestAnswer,
  });
};
