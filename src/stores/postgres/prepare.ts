import type { PostgresPool, Statement } from './driver.ts';
import { serverTime, type migrations as ours } from './layout.ts';
import { unusable } from './trouble.ts';

interface Preparing {
  readonly pool: PostgresPool;
  readonly query: (statement: Statement) => Promise<readonly object[]>;
  /** The name of the store in errors. */
  readonly name: string;
  readonly schema: string;
  readonly migrations: typeof ours;
  readonly mayBegin: boolean;
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
  text: `SELECT version FROM "${schema}".agentcharter_layout`,
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
  const [{ version } = { version: 0 }] = rows as readonly { readonly version: number }[];
  if (version <= migrations.length) return version;
  const remedy = `this version reads layouts up to ${migrations.length}: update agentcharter, or name another schema`;
  throw unusable(name, `it has layout ${version}`, remedy);
};

/** Applies the missing migrations in one transaction, under a lock: of several processes, one does. */
const migrate = async (given: Preparing): Promise<void> => {
  const { pool, schema, migrations, name } = given;
  const client = await pool.connect();
  let isBroken = true;
  const run = async (text: string): Promise<readonly object[]> => (await client.query({ text })).rows;
  const rollBack = (): Promise<unknown> => run('ROLLBACK').catch(() => {}); // the first error counts
  client.on('error', () => {}); // what breaks it rejects the statement too
  try {
    await run('BEGIN ISOLATION LEVEL READ COMMITTED');
    await run(`SELECT pg_advisory_xact_lock(hashtext('agentcharter'), hashtext('${schema}'))`);
    const [found] = (await run(server(schema))) as readonly Server[];
    if (found === undefined) throw new TypeError('the server did not say what it is');
    const layout = layoutOf(given, found, found.has_layout ? await run(layoutIn(schema).text) : []);
    if (!found.exists) await run(`CREATE SCHEMA "${schema}"`);
    if (layout === 0)
      await run(`CREATE TABLE "${schema}".agentcharter_layout (version integer NOT NULL);
        INSERT INTO "${schema}".agentcharter_layout VALUES (0)`);
    for (const migration of migrations.slice(layout)) await run(migration(schema));
    await run(`UPDATE "${schema}".agentcharter_layout SET version = ${migrations.length}`);
    await run('COMMIT');
    isBroken = false;
  } catch (error) {
    await rollBack();
    if (error instanceof Error && 'code' in error && error.code === '42501')
      throw unusable(
        name,
        `its layout is missing or old, and this role may not change it (${error.code})`,
        'open it once with a role that may: CREATE on the database, or the owner of the schema',
        { cause: error },
      );
    throw error;
  } finally {
    client.release(isBroken);
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
  if (layout < migrations.length) await migrate(given);
  return found.node;
};
