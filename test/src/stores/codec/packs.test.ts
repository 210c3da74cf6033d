import { expect, it, onTestFinished } from 'vitest';
import type { Codec } from 'agentcharter/stores';
import type { Store } from '../../../../src/base/ports/store.ts';
import { migrations } from '../../../../src/stores/sqlite/layout.ts';
import { createStore } from '../../../../src/stores/sqlite/store.ts';
import { newFile } from '../folder.ts';
import { deadlineOf, evidence, stepOf, takeTasks } from '../steps.ts';
import { atRest, expectRows, inFile, never, rest, rowsIn, soon } from '../sqlite/packing.ts';
import { both, first, second } from './places.ts';

const opened = (file: string, packAfter: number, codec?: Codec): Store => {
  const store = createStore(file, 20, { timeout: 1_000, migrations, codec }, packAfter);
  onTestFinished(() => store.close());
  return store;
};

interface Sizes {
  readonly size: number;
  readonly mark: string;
}

const sizesIn = (file: string): readonly Sizes[] =>
  inFile(
    file,
    (connection) =>
      connection.rows(
        'SELECT length(body) AS size, CAST(substr(body, 1, 4) AS BLOB) AS mark FROM record ORDER BY task, seq',
      ) as readonly Sizes[],
  );

it('A pack of encoded steps is compressed, then encoded', async () => {
  const [file, plainFile] = [newFile(), newFile()];
  const stores = [opened(file, soon, first), opened(plainFile, soon)];
  for (const store of stores) await rest(store);
  for (const one of [file, plainFile]) await expectRows(one, ['1 packed']);
  const [[encoded], [plain]] = [sizesIn(file), sizesIn(plainFile)];
  expect(encoded?.mark).toBe('%b1:');
  expect(encoded?.size).toBe((plain?.size ?? 0) + '%b1:'.length + '_k1'.length + 12 + 16);
  expect(await stores[0]!.load('task')).toEqual(await stores[1]!.load('task'));
  expect(await stores[0]!.taskIndex()).toEqual(await stores[1]!.taskIndex());
});

it('A step that follows a pack is packed apart, and both are read under their own keys', async () => {
  const file = newFile();
  const before = opened(file, soon, first);
  await rest(before);
  await expectRows(file, ['1 packed']);
  await before.close();
  const store = opened(file, soon, both);
  const deadlines = [deadlineOf('soon', 5), deadlineOf('later', 9)];
  for (const seq of [2, 3])
    await store.commit(stepOf(seq, atRest({ snapshot: null, deadlines, brought: { evidence } })));
  await expectRows(file, ['1 packed', '3 packed']);
  const stored = await store.load('task');
  expect(stored?.snapshot).toBe('snapshot 1');
  expect(stored?.records).toHaveLength(4);
  expect(await store.due(4)).toEqual({ taskIds: [], next: 5 });
  expect(await store.due(5)).toEqual({ taskIds: ['task'], next: 9 });
});

it('Plain and encoded steps are packed together', async () => {
  const file = newFile();
  const plain = opened(file, never);
  await plain.commit(stepOf(0, { brought: { evidence } }));
  const store = opened(file, soon, first);
  await store.commit(stepOf(1, atRest({ snapshot: null })));
  const before = await store.load('task');
  await expectRows(file, ['1 packed']);
  expect(await store.load('task')).toEqual(before);
});

it('Steps whose key is missing keep their rows', async () => {
  const file = newFile();
  await rest(opened(file, never, first));
  // a store whose newest steps cannot be read is not opened
  await opened(file, never, both).commit(stepOf(0, { taskId: 'newest' }));
  const store = opened(file, soon, second);
  await takeTasks(store); // adopts what an earlier process left
  await rest(store, 'other');
  await expectRows(file, ['0 alone', '1 alone', '0 alone', '1 packed']);
  expect(rowsIn(file)).toHaveLength(4);
  expect((await store.load('other'))?.records).toHaveLength(2);
});
