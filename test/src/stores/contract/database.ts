import { onTestFinished } from 'vitest';
import type { Store } from '../../../../src/ports/store.ts';

/** A database that is empty at first; each connection is as if it were another process's. */
export interface Database {
  readonly connect: () => Store;
}

export type Open = () => Database;

/** A connection that is closed when the test is over. */
export const connected = (database: Database): Store => {
  const store = database.connect();
  onTestFinished(() => store.close());
  return store;
};

/** The ids of all tasks, in the order in which they began. */
export const taskIds = async (store: Store): Promise<readonly string[]> =>
  (await store.standings()).map(({ taskId }) => taskId);
