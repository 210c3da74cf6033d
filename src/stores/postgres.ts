import type { BlobStore } from '../base/ports/blobs.ts';
import type { Store } from '../base/ports/store.ts';
import { blobSchema, createBlobs } from './postgres/blobs.ts';
import { checkedOptions, type PostgresOptions } from './postgres/options.ts';
import { createStore } from './postgres/store.ts';

export type { PostgresClient, PostgresPool } from './postgres/driver.ts';
export type { PostgresOptions } from './postgres/options.ts';

/**
 * Creates a store in a schema of PostgreSQL 13 or later, by the peer `pg`, for any number of processes and machines. Each
 * process performs the tasks that it holds by a lease, and takes those of a process that is gone.
 *
 * The schema is created and brought up to date at the first use: this needs `CREATE` on the database, or an owner of the
 * schema. Afterwards a role is enough that has `USAGE` on the schema and `SELECT`, `INSERT`, `UPDATE` and `DELETE` on its
 * tables. Leases are timed by the server. The store works behind a pooler that gives each transaction another session.
 *
 * Erased documents remain in dead rows until the server vacuums, and in its log and backups.
 *
 * Throws `definition_invalid` for an option. Its methods throw `store_unusable` with the reason, and work again when the
 * cause is gone. A commit that throws may have been written.
 */
export const postgresStore = (options: PostgresOptions): Store => {
  const { opening, lease, poll, renewing } = checkedOptions(options);
  return createStore(opening, lease, poll, renewing);
};

/**
 * Creates a store of large values in a schema of PostgreSQL, by the peer `pg`: a schema of its own, `agentcharter_blobs` by
 * default, with the rights that `postgresStore` needs.
 *
 * Throws `definition_invalid` for an option. Its methods throw `store_unusable`, and work again when the cause is gone.
 */
export const postgresBlobs = ({
  schema = blobSchema,
  ...connection
}: Pick<PostgresOptions, 'connectionString' | 'pool' | 'schema' | 'codec'>): BlobStore =>
  createBlobs(checkedOptions({ ...connection, schema }).opening);
