import { onTestFinished } from 'vitest';
import type { Store } from '../../../../src/base/ports/store.ts';

/** An empty database; each connection acts as another process. */
export interface Database {
  readonly connect: () => Store;
}

export type Open = () => Database;

/** A database whose leases are longer than any test, and lapse when they are told to. */
export interface LeasedDatabase extends Database {
  /** Ends the leases of all holds, so many milliseconds ago; 100 by default, and at least. */
  readonly lapse: (ago?: number) => Promise<void>;
}

/** Connects to a database until the test ends. */
export const connected = (database: Database): Store => {
  const store = database.connect();
  onTestFinished(() => store.close());
  return store;
};

/** Returns the ids of all tasks in order of their beginning. */
export const taskIds = async (store: Store): Promise<readonly string[]> =>
  (await store.taskIndex()).map(({ taskId }) => taskId);
