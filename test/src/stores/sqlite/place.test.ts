import { copyFileSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { stepOf } from '../steps.ts';

/** Opens a store in a folder of its own, with one task. */
const opened = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentcharter-place-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'a.db');
  const link = join(folder, 'link.db');
  symlinkSync(file, link);
  const store = sqliteStore(link, { timeout: 500, poll: 20 });
  await store.take({ charts: [], taskClasses: [], tools: [], agents: [] }, 1);
  await store.commit(stepOf(0));
  return { folder, file, store };
};

test.each<[string, (file: string, folder: string) => void, string]>([
  ['moved', (file) => renameSync(file, `${file}.old`), 'deleted or moved'],
  ['deleted', (_, folder) => rmSync(folder, { recursive: true }), 'deleted or moved'],
  [
    'replaced by a copy',
    (file) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
    'replaced',
  ],
])('a store whose file was %s acknowledges nothing, and makes no other file', async (_, harm, how) => {
  const { folder, file, store } = await opened();
  harm(file, folder);
  const refused = {
    code: 'store_unusable',
    details: { reason: `its file was ${how} while it was open` },
  };
  await expect(store.commit(stepOf(1))).rejects.toMatchObject(refused);
  await expect(Promise.all([1, 2].map((n) => store.commit(stepOf(n))))).rejects.toMatchObject(refused);
  await expect(store.counts()).rejects.toMatchObject(refused);
  await store.close();
});

test('a store goes on once its file is back', async () => {
  const { file, store } = await opened();
  renameSync(file, `${file}.old`);
  await expect(store.commit(stepOf(1, { taskId: 'other' }))).rejects.toMatchObject({
    code: 'store_unusable',
  });
  renameSync(`${file}.old`, file);
  const kept = await store.load('task');
  await store.commit(stepOf(kept!.records.length));
  expect(await store.counts()).toMatchObject({ tasks: 1 });
  await store.close();
});
