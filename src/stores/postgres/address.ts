import type { Store } from '../../ports/store.ts';
import { checkedOptions } from './options.ts';
import { createStore } from './store.ts';

/** Returns whether an address names a server of PostgreSQL. */
export const isPostgresAddress = (address: string): boolean => /^postgres(ql)?:\/\//iu.test(address);

/** The parameter of an address that names the schema; the server does not get it. */
const schemaParameter = 'schema';

/**
 * Opens the store at an address such as `postgres://user@host/database?schema=name`. Unless it `mayBegin`, its tables must
 * exist. Throws `definition_invalid` for the schema.
 */
export const openPostgres = (address: string, { mayBegin }: { readonly mayBegin: boolean }): Store => {
  const url = URL.canParse(address) ? new URL(address) : null;
  const schema = url?.searchParams.get(schemaParameter) ?? undefined;
  url?.searchParams.delete(schemaParameter);
  const connectionString = url?.href ?? address;
  const { opening, lease, poll } = checkedOptions({
    connectionString,
    ...(schema !== undefined && { schema }),
  });
  return createStore({ ...opening, mayBegin }, lease, poll);
};
