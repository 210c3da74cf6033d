import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { CharterError } from '../../base/errors.ts';
import type { Codec } from '../../base/ports/codec.ts';
import { codecFault } from '../codec.ts';
import type { PostgresPool } from './driver.ts';
import type { Opening } from './session.ts';
import type { Renewing } from './store.ts';

/** The options of a store in PostgreSQL. */
export interface PostgresOptions {
  /** A connection string, such as `postgres://user@host/database`. Either this or `pool`. */
  readonly connectionString?: string;
  /**
   * A `Pool` of `pg`, which you end yourself after the store is closed. It has two connections or more, one of which
   * listens. Set its `query_timeout` and `connectionTimeoutMillis` below the lease: what was cut says nothing.
   */
  readonly pool?: PostgresPool;
  /** The schema that holds the tables, in lower case; `agentcharter` by default. */
  readonly schema?: string;
  /**
   * Milliseconds after which another process takes the tasks of one that is gone; 10,000 by default, 100 to a day.
   * All processes of a schema should have the same.
   */
  readonly lease?: number;
  /**
   * Where the leases are renewed by a thread with a connection of its own, for a `pool`; with a `connectionString` it is that one.
   * Without it, only the event loop renews them.
   */
  readonly leases?: { readonly connectionString: string };
  /**
   * Milliseconds that the event loop may be busy while a thread renews the leases; ten leases by default. A process that is stuck
   * for longer loses its tasks. 0 for no thread.
   */
  readonly maxStall?: number;
  /** The interval of polling for changes by other processes; milliseconds, 500 by default. */
  readonly poll?: number;
  /** Encodes records, documents, snapshots and summaries, for example `aesCodec`. Names, times and counts stay plain. */
  readonly codec?: Codec;
}

const known = ['connectionString', 'pool', 'schema', 'lease', 'leases', 'maxStall', 'poll', 'codec'];

const refused = (path: string, message: string): CharterError<'definition_invalid'> =>
  new CharterError('definition_invalid', `postgres store: ${path === '' ? 'it' : path} ${message}`, {
    definition: 'postgres store',
    issues: [{ path, message }],
  });

/** A day: a longer lease or interval is a slip of units. */
const day = 86_400_000;

const checkInterval = (path: string, value: number, least: number): void => {
  if (!(typeof value === 'number' && value >= least && value <= day))
    throw refused(path, `must be a number of milliseconds, ${least} to ${day}`);
};

const isPool = (value: unknown): value is PostgresPool =>
  typeof value === 'object' &&
  value !== null &&
  ['query', 'connect', 'on', 'off'].every((name) => typeof Reflect.get(value, name) === 'function');

/** The most connections of a pool, if it says so. */
const mostOf = (pool: object): number => {
  const options: unknown = Reflect.get(pool, 'options');
  const most: unknown =
    typeof options === 'object' && options !== null ? Reflect.get(options, 'max') : undefined;
  return typeof most === 'number' ? most : Infinity;
};

/** Returns whether a password ends too early, so that the rest of it stands where host, database or parameters are read. */
const isCut = (connectionString: string): boolean => {
  if (!URL.canParse(connectionString)) return /^\w+:\/\/[^]*[/?#][^]*@/u.test(connectionString);
  const { pathname, searchParams, hash } = new URL(connectionString);
  return pathname.includes('@') || hash !== '' || [...searchParams.keys()].some((key) => key.includes('@'));
};

/** Returns whether an address names a schema, as those of the command do: the driver would ignore it. */
const namesSchema = (connectionString: string): boolean =>
  URL.canParse(connectionString) && new URL(connectionString).searchParams.has('schema');

const connectionOf = ({ connectionString, pool }: PostgresOptions): string | PostgresPool => {
  if (connectionString === undefined && pool === undefined)
    throw refused(
      '',
      'takes a connectionString or a pool, and got neither: is the variable set that should hold it?',
    );
  if (connectionString !== undefined && pool !== undefined)
    throw refused('', 'takes a connectionString or a pool, and not both');
  if (pool !== undefined && !isPool(pool)) throw refused('/pool', 'must be a Pool of pg');
  if (pool !== undefined && mostOf(pool) < 2)
    throw refused('/pool', 'must have a `max` of 2 or more: one connection listens');
  if (connectionString !== undefined && typeof connectionString !== 'string')
    throw refused('/connectionString', 'must be a text, such as postgres://user@host/database');
  if (connectionString !== undefined && isCut(connectionString))
    throw refused(
      '/connectionString',
      'is cut within its password: encode "@", "/", "?" and "#" of user and password as %40, %2F, %3F and %23',
    );
  if (connectionString !== undefined && namesSchema(connectionString))
    throw refused('/connectionString', 'must not name the schema: say it as `schema` beside it');
  return pool ?? connectionString ?? '';
};

/** The options, checked. */
interface Checked {
  readonly opening: Opening;
  readonly lease: number;
  readonly poll: number;
  readonly renewing: Renewing | null;
}

/** Returns how leases are renewed beside the event loop, by default for ten leases without a turn of it; `null` for not. */
const renewingOf = (options: PostgresOptions, lease: number): Renewing | null => {
  const { connectionString, leases, maxStall = lease * 10 } = options;
  if (maxStall !== 0) checkInterval('/maxStall', maxStall, lease);
  const given: unknown = leases;
  const own = isObject(given) ? given['connectionString'] : undefined;
  if (given !== undefined && (typeof own !== 'string' || connectionString !== undefined))
    throw refused('/leases', 'must be { connectionString }, beside a pool');
  const at = typeof own === 'string' ? own : connectionString;
  return maxStall === 0 || at === undefined ? null : { connectionString: at, maxStall };
};

/** Returns the options with their defaults. Throws `definition_invalid`. */
export const checkedOptions = (options: PostgresOptions): Checked => {
  const given: unknown = options;
  if (!isObject(given)) throw refused('', 'must be an object, such as { connectionString }');
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw refused(`/${unknown}`, `is unknown${didYouMean(unknown, known)}; accepted: ${known.join(', ')}`);
  const { schema = 'agentcharter', lease = 10_000, poll = 500, codec } = options;
  if (typeof schema !== 'string' || !/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith('pg_'))
    throw refused(
      '/schema',
      'must be 1 to 63 lower-case letters, digits and underscores, and not begin with a digit or pg_',
    );
  checkInterval('/lease', lease, 100);
  checkInterval('/poll', poll, 1);
  const fault = codecFault(codec);
  if (fault !== null) throw refused('/codec', fault);
  const opening = { connection: connectionOf(options), schema, codec };
  return { opening, lease, poll, renewing: renewingOf(options, lease) };
};
