import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import { sqliteStore } from '../../../src/stores/sqlite.ts';
import { agree } from './agreeing.ts';
import { folder } from './folder.ts';

it('An SQLite store and a memory store give the same answers and data for random operations', async () => {
  const place = folder();
  const fileOf = (run: number): string => join(place, `${run}.db`);
  await agree(
    (run) => [sqliteStore(fileOf(run)), sqliteStore(fileOf(run))],
    (run) => {
      for (const part of ['', '-wal', '-shm']) rmSync(`${fileOf(run)}${part}`, { force: true });
    },
    40,
  );
});
