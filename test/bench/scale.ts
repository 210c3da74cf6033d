import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { measureApart, translate } from './apart.ts';
import { inFolder } from './folder.ts';
import { circumstances, keep, scalePackages } from './kept.ts';
import { median } from './measure.ts';
import { operations, scaleTable, type ScaleFigures } from './scale-rows.ts';
import { isFull, progress, rounds } from './settings.ts';
import type { Scale } from './subjects/scale.ts';

// What people and programs pay in a store of many tasks that wait. BENCH_TASKS=1000000 adds a larger one, and a smaller
// number makes it short.

const most = Number(process.env['BENCH_TASKS'] ?? 100_000);
const sizes = [1_000, 10_000, 100_000, 1_000_000].filter((size) => size <= most);
if (sizes.length === 0) throw new RangeError('BENCH_TASKS: expected 1000 or more');

const real = 30;
const times = 10;

const medians = (all: readonly Scale[]): Scale =>
  Object.fromEntries(
    operations.map((name) => [name, median(all.map((one) => one[name]))]),
  ) as unknown as Scale;

progress('translating the subjects');
await translate();

const figures = await inFolder(async (folder): Promise<ScaleFigures> => {
  const base = join(folder, 'base.db');
  const answered = await measureApart('fill', { file: base, copies: 0, real });
  const measured: Record<string, Scale> = {};
  let filled = real;
  for (const size of sizes) {
    progress(`adding ${size - filled} tasks`);
    await measureApart('fill', { file: base, copies: size - filled, real: 0 });
    filled = size;
    const all: Scale[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      progress(`round ${round} of ${rounds}: ${size} tasks, ${Math.round(statSync(base).size / 2 ** 20)} MB`);
      const file = join(folder, 'tasks.db');
      copyFileSync(base, file);
      all.push(await measureApart('scale', { file, answered, times }));
    }
    measured[size] = medians(all);
  }
  return measured;
});

console.log(`\nmedians of ${rounds} rounds`);
console.log(scaleTable(figures));
if (isFull && most >= 100_000) {
  keep({ scale: { circumstances: circumstances(rounds, null, scalePackages), figures } });
  console.log(
    '\nKept in test/bench/measured.json. Print the page: npx vitest run --config test/vitest.config.ts test/docs/reference/speed.test.ts -u',
  );
} else console.log('\nNot kept: only a full run is.');
