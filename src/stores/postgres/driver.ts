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

/** Milliseconds for the answer to a statement, by default: a connection that was cut says nothing. */
export const longestAnswer = 30_000;

/** Returns whether a connection did not answer in time. */
export const isOverdue = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** Creates a pool by the peer `pg`; it waits so long for an answer. Throws `store_unusable` if the peer is missing. */
export const createPool = (connectionString: string, store: string, answer: number): PostgresPool => {
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
    connectionTimeoutMillis: Math.min(5_000, answer),
    query_timeout: answer,
  });
};
