import type { BlobStore } from '../../base/ports/blobs.ts';
import type { Store } from '../../base/ports/store.ts';
import { blobSchema, createBlobs } from './blobs.ts';
import { checkedOptions, type PostgresOptions } from './options.ts';
import { createStore } from './store.ts';

/** Returns whether an address names a server of PostgreSQL. */
export const isPostgresAddress = (address: string): boolean => /^postgres(ql)?:\/\//iu.test(address);

/** The parameter of an address that names the schema; the server does not get it. */
const schemaParameter = 'schema';

const connectionAt = (address: string): Pick<PostgresOptions, 'connectionString' | 'schema'> => {
  const url = URL.canParse(address) ? new URL(address) : null;
  const schema = url?.searchParams.get(schemaParameter) ?? undefined;
  url?.searchParams.delete(schemaParameter);
  return { connectionString: url?.href ?? address, ...(schema !== undefined && { schema }) };
};

type Coded = Pick<PostgresOptions, 'codec'>;

/**
 * Opens the store at an address such as `postgres://user@host/database?schema=name`. Unless it `mayBegin`, its tables must
 * exist. Throws `definition_invalid` for the schema.
 */
export const openPostgres = (
  address: string,
  { mayBegin, ...coded }: Coded & { readonly mayBegin: boolean },
): Store => {
  const { opening, lease, poll } = checkedOptions({ ...connectionAt(address), ...coded });
  return createStore({ ...opening, mayBegin }, lease, poll);
};

/** Opens the store of large values at such an address, whose tables must exist. Throws `definition_invalid` for the schema. */
export const openPostgresBlobs = (address: string, coded: Coded = {}): BlobStore => {
  const { opening } = checkedOptions({ schema: blobSchema, ...connectionAt(address), ...coded });
  return createBlobs({ ...opening, mayBegin: false });
};
