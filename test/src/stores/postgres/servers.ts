import { onTestFinished } from 'vitest';
import type { Store } from '../../../../src/base/ports/store.ts';
import { postgresStore, type PostgresOptions } from '../../../../src/stores/postgres.ts';

let schemas = 0;

/** Returns the name of a schema that no other test uses. */
export const newSchema = (): string => `schema_${(schemas += 1)}`;

/** Opens a store until the test ends. */
export const opened = (options: PostgresOptions): Store => {
  const store = postgresStore({ poll: 50, lease: 1_000, ...options });
  onTestFinished(() => store.close());
  return store;
};
