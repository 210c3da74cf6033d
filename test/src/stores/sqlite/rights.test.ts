import { chmodSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Store } from '../../../../src/base/ports/store.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { stepOf, takeTasks } from '../steps.ts';
import { folder, newFile } from '../folder.ts';

const opened = (file: string): Store => {
  const store = sqliteStore(file);
  onTestFinished(() => store.close());
  return store;
};

const rightsIn = (place: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(place).map((name) => [name, (statSync(join(place, name)).mode & 0o777).toString(8)]),
  );

const withUmask = (mask: number): void => {
  const before = process.umask(mask);
  onTestFinished(() => void process.umask(before));
};

describe.skipIf(process.platform === 'win32')('the files of a store', () => {
  it.each(['000', '022', '077', '277'])(
    'are readable and writable by their user only: umask %s',
    async (mask) => {
      withUmask(Number.parseInt(mask, 8));
      const file = newFile();
      const store = opened(file);
      await takeTasks(store);
      await store.commit(stepOf(0));
      expect(rightsIn(dirname(file))).toEqual({
        'tasks.db': '600',
        'tasks.db-shm': '600',
        'tasks.db-wal': '600',
        'tasks.db.owner': '600',
        'tasks.db.owner-journal': '600',
      });
    },
  );

  it('are so when a link leads to a file that does not exist yet', async () => {
    withUmask(0);
    const [place, elsewhere] = [folder(), folder()];
    symlinkSync(join(elsewhere, 'tasks.db'), join(place, 'link'));
    symlinkSync('link', join(place, 'first.db'));
    await takeTasks(opened(join(place, 'first.db')));
    expect(new Set(Object.values(rightsIn(elsewhere)))).toEqual(new Set(['600']));
  });

  it('keep the mode that the operator gave the database and use it for the log', async () => {
    withUmask(0);
    const file = newFile();
    writeFileSync(file, '');
    chmodSync(file, 0o640);
    const store = opened(file);
    await takeTasks(store);
    await store.commit(stepOf(0));
    expect(rightsIn(dirname(file))).toEqual({
      'tasks.db': '640',
      'tasks.db-shm': '640',
      'tasks.db-wal': '640',
      'tasks.db.owner': '600',
      'tasks.db.owner-journal': '600',
    });
  });
});
