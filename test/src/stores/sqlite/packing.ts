import { copyFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import type { Store } from '../../../../src/base/ports/store.ts';
import { connect, type Connection } from '../../../../src/stores/sqlite/connection.ts';
import { migrations } from '../../../../src/stores/sqlite/layout.ts';
import { createStore } from '../../../../src/stores/sqlite/store.ts';
import { newFile } from '../folder.ts';
import { emissionOf, evidence, stepOf, type Given } from '../steps.ts';
import { eventually } from '../../../waits.ts';

export const soon = 20;
export const never = 2 ** 30;

/** Opens a store that packs tasks after they have rested for some milliseconds. */
export const opened = (file: string, packAfter: number, open = connect, timeout = 1_000): Store => {
  const store = createStore(file, 20, { timeout, migrations, connect: open }, packAfter);
  onTestFinished(() => store.close());
  return store;
};

export const inFile = <Result>(file: string, work: (connection: Connection) => Result): Result => {
  const connection = connect(file, 1_000);
  try {
    return work(connection);
  } finally {
    connection.close();
  }
};

/** Returns the rows of steps of a file: the last step of each, and whether it is packed. */
export const rowsIn = (file: string) =>
  inFile(file, (connection) =>
    (
      connection.rows(`SELECT seq, typeof(body) AS type FROM record ORDER BY task, seq`) as readonly {
        seq: number;
        type: string;
      }[]
    ).map(({ seq, type }) => `${seq} ${type === 'blob' ? 'packed' : 'alone'}`),
  );

/** Waits until the rows of a file are these. */
export const expectRows = (file: string, rows: readonly string[]): Promise<void> =>
  eventually(() => expect(rowsIn(file)).toEqual(rows));

/** What a step brings after which the task rests. */
export const atRest = (given: Given = {}): Given => ({ indexEntry: { isOwed: false }, ...given });

/** Commits two steps, after which the task rests. */
export const rest = async (store: Store, taskId = 'task'): Promise<void> => {
  const brought = { evidence };
  await store.commit(stepOf(0, { taskId, brought, emissions: [emissionOf(evidence)] }));
  await store.commit(stepOf(1, atRest({ taskId })));
};

/** Copies a file as a crash leaves it. */
export const crashed = (file: string): string => {
  const copy = newFile();
  for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, `${copy}${end}`);
  return copy;
};
