import type { PostgresPool, Statement } from './driver.ts';
import { listenersStatement, oldestIn, serverTime, type migrations as ours } from './layout.ts';
import type { CharterError } from '../../base/errors.ts';
import { unusable } from '../shared.ts';
import { hasCode, isTransient } from './trouble.ts';

interface Preparing {
  readonly pool: PostgresPool;
  readonly query: (statement: Statement) => Promise<readonly object[]>;
  /** The name of the store in errors. */
  readonly name: string;
  readonly schema: string;
  readonly migrations: typeof ours;
  /** The oldest layout whose code may use the schema beside this one. */
  readonly oldest: number;
  readonly mayBegin: boolean;
  /** The longest wait for a lock of another process; milliseconds. */
  readonly lockWait: number;
}

/** What a server says of itself, and of a schema. */
interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly isolation: string;
  readonly commit: string;
  /** Whether the schema exists, and how many tables it has. */
  readonly exists: boolean;
  readonly tables: number;
  readonly has_layout: boolean;
  readonly node: string;
}

/** The oldest version that has everything that is used here. */
const oldestServer = 130_000;

const server = (schema: string): string => `SELECT
  current_setting('server_version_num')::int AS version,
  current_setting('server_encoding') AS encoding,
  current_setting('default_transaction_isolation') AS isolation,
  current_setting('synchronous_commit') AS commit,
  EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = '${schema}') AS exists,
  (SELECT count(*)::int FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace AS n ON n.oid = relnamespace
    WHERE nspname = '${schema}' AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f')) AS tables,
  EXISTS (SELECT FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace AS n ON n.oid = relnamespace
    WHERE nspname = '${schema}' AND relname = 'agentcharter_layout') AS has_layout,
  gen_random_uuid()::text AS node, ${serverTime} AS now`;

const checkServer = (
  name: string,
  { version, encoding, isolation, commit }: Pick<Server, 'version' | 'encoding' | 'isolation' | 'commit'>,
): void => {
  if (version < oldestServer)
    throw unusable(name, `it is PostgreSQL ${Math.floor(version / 10_000)}`, 'use PostgreSQL 13 or later');
  if (encoding !== 'UTF8')
    throw unusable(name, `its database has the encoding ${encoding}`, "create one with ENCODING 'UTF8'");
  if (isolation !== 'read committed')
    throw unusable(
      name,
      `its default isolation is ${isolation}`,
      "ALTER ROLE … SET default_transaction_isolation = 'read committed'",
    );
  if (commit === 'off')
    throw unusable(
      name,
      'it answers before a commit is on the disk (synchronous_commit is off)',
      'ALTER ROLE … SET synchronous_commit = on',
    );
};

const layoutIn = (schema: string): Statement => ({
  text: `SELECT version, ${oldestIn(schema)} AS oldest FROM "${schema}".agentcharter_layout`,
});

/** Returns the number of migrations applied. Throws `store_unusable` if the schema is not ours, or newer. */
const layoutOf = (
  { name, migrations }: Pick<Preparing, 'name' | 'migrations'>,
  { tables, has_layout: hasLayout }: Pick<Server, 'tables' | 'has_layout'>,
  rows: readonly object[],
): number => {
  if (!hasLayout && tables > 0)
    throw unusable(
      name,
      'it holds tables of another application',
      'name a schema of its own by the option `schema`; one that does not exist is created',
    );
  const [{ version, oldest } = { version: 0, oldest: 0 }] = rows as readonly {
    readonly version: number;
    readonly oldest: number;
  }[];
  if (version <= migrations.length || oldest <= migrations.length) return version;
  const remedy = `this version reads layouts up to ${migrations.length}: update agentcharter, or name another schema`;
  throw unusable(name, `it has layout ${version}`, remedy);
};

/** Returns the error of a process whose schema is used by code of this layout or a later one only. */
export const tooOld = (name: string, allowed: number): CharterError =>
  unusable(
    name,
    `a later version changed its layout, and only code of layout ${allowed} may use it now`,
    'update agentcharter here, and start this process again',
  );

/** Refuses a change of the layout that the processes which use it now could not bear. */
const checkUsers = async (
  { name, schema, migrations, oldest }: Pick<Preparing, 'name' | 'schema' | 'migrations' | 'oldest'>,
  layout: number,
  run: (statement: Statement) => Promise<readonly object[]>,
): Promise<void> => {
  if (layout === 0 || layout >= oldest) return;
  const [{ count } = { count: 0 }] = (await run(listenersStatement(schema))) as readonly {
    readonly count: number;
  }[];
  if (count === 0) return;
  throw unusable(
    name,
    `its layout ${layout} is to be changed to ${migrations.length}, which those that use it now (${count} listen) do not know`,
    `stop them, then start this one; or update them first to a version that writes layout ${oldest}`,
  );
};

/** Milliseconds for one statement of a migration: of many tasks, an index takes minutes. */
const longestMigration = 3_600_000;

/** The greatest number of attempts at beginning a schema that other processes begin at the same time. */
const maxAttempts = 10;

/** Returns whether another process created the schema or its first table meanwhile, or the two waited for each other. */
const isOvertaken = (error: unknown): boolean =>
  ['23505', '42P06', '42P07'].some((code) => hasCode(error, code)) || isTransient(error);

/** Returns who holds a lock on a table of the schema. Only a role with rights on its tables can. */
const holders = (schema: string): string => `SELECT DISTINCT pid, coalesce(usename, '?') AS role
  FROM pg_catalog.pg_locks JOIN pg_catalog.pg_class AS c ON c.oid = relation
    JOIN pg_catalog.pg_namespace AS n ON n.oid = relnamespace JOIN pg_catalog.pg_stat_activity USING (pid)
  WHERE nspname = '${schema}' AND granted AND mode <> 'AccessShareLock' ORDER BY pid`;

type Run = (text: string) => Promise<readonly object[]>;

/** Returns the error for a lock that another process keeps. */
const keptLocked = async (
  { name, schema }: Pick<Preparing, 'name' | 'schema'>,
  run: Run,
  cause: unknown,
): Promise<CharterError> => {
  const found = (await run(holders(schema)).catch(() => [])) as readonly {
    readonly pid: number;
    readonly role: string;
  }[];
  const whose = found.map(({ pid, role }) => `process ${pid} of role ${role}`).join(', ');
  return unusable(
    name,
    `its layout is to be changed, and ${whose === '' ? 'another process' : whose} keeps a lock on it`,
    `wait until that ends, or end it: SELECT pg_terminate_backend(${found[0]?.pid ?? 'pid'}); then try again`,
    { cause },
  );
};

/** Locks the layout of a schema until the transaction ends, and returns its version; creates both if there are none. */
const lockLayout = async (given: Preparing, run: Run): Promise<number> => {
  const { schema } = given;
  const [found] = (await run(server(schema))) as readonly Server[];
  if (found === undefined) throw new TypeError('the server did not say what it is');
  if (found.has_layout) {
    await run(`LOCK TABLE "${schema}".agentcharter_layout IN EXCLUSIVE MODE`);
    return layoutOf(given, found, await run(layoutIn(schema).text));
  }
  layoutOf(given, found, []);
  // of several transactions that create one name, the others wait for the first, and are refused when it commits
  if (!found.exists) await run(`CREATE SCHEMA "${schema}"`);
  await run(`CREATE TABLE "${schema}".agentcharter_layout (version integer NOT NULL)`);
  await run(`INSERT INTO "${schema}".agentcharter_layout VALUES (0)`);
  return 0;
};

/**
 * Applies the missing migrations in one transaction: of several processes, one does. The lock is one on the layout itself,
 * so that a login without rights on the schema cannot keep it.
 */
const migrate = async (given: Preparing): Promise<void> => {
  const { pool, schema, migrations, name, lockWait } = given;
  const client = await pool.connect();
  let isBroken = true;
  const ask = async ({ text, values = [] }: Statement): Promise<readonly object[]> =>
    (await client.query({ text, values: [...values], query_timeout: longestMigration })).rows;
  const run: Run = (text) => ask({ text });
  const rollBack = (): Promise<unknown> => run('ROLLBACK').catch(() => {}); // the first error counts
  client.on('error', () => {}); // what breaks it rejects the statement too
  try {
    await run('BEGIN ISOLATION LEVEL READ COMMITTED');
    await run(`SET LOCAL lock_timeout = ${lockWait}`);
    const layout = await lockLayout(given, run);
    await checkUsers(given, layout, ask);
    for (const migration of migrations.slice(layout)) await run(migration(schema));
    await run(`ALTER TABLE "${schema}".agentcharter_layout ADD COLUMN IF NOT EXISTS oldest integer`);
    await run(
      `UPDATE "${schema}".agentcharter_layout SET version = greatest(version, ${migrations.length}), oldest = greatest(oldest, ${given.oldest})`,
    );
    await run('COMMIT');
    isBroken = false;
  } catch (error) {
    await rollBack();
    if (hasCode(error, '55P03')) throw await keptLocked(given, run, error);
    if (hasCode(error, '42501'))
      throw unusable(
        name,
        'its layout is missing or old, and this role may not change it (42501)',
        'open it once with a role that may: CREATE on the database, or the owner of the schema',
        { cause: error },
      );
    throw error;
  } finally {
    client.release(isBroken);
  }
};

/** Applies the missing migrations, again if another process was first. */
const migrateInTurn = async (given: Preparing): Promise<void> => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await migrate(given);
    } catch (error) {
      if (!isOvertaken(error) || attempt === maxAttempts) throw error;
    }
};

/** Prepares a schema for use, and returns the identity of this store. Throws `store_unusable`. */
export const prepare = async (given: Preparing): Promise<string> => {
  const { query, name, schema, migrations, mayBegin } = given;
  const [found] = (await query({ text: server(schema) })) as readonly Server[];
  if (found === undefined) throw new TypeError('the server did not say what it is');
  checkServer(name, found);
  const layout = layoutOf(given, found, found.has_layout ? await query(layoutIn(schema)) : []);
  if (layout === 0 && !mayBegin)
    throw unusable(name, 'it has no tasks yet', 'correct the database, or name the schema: ?schema=NAME');
  if (layout < migrations.length) await migrateInTurn(given);
  return found.node;
};
