import { measureApart, translate } from './apart.ts';
import { explored, walked } from './charts.ts';
import { median, shuffled } from './measure.ts';
import { only, rounds } from './settings.ts';
import { explores, walks, type Explored } from './subjects/explorations.ts';
import { columns, shown } from './table.ts';

// Exploration on every chart, in time and memory: each engine in a process of its own, so that its memory is its own, the
// engines in a shuffled order.

const heapMb = Number(process.env['BENCH_HEAP_MB'] ?? 2_048);
const limitMs = Number(process.env['BENCH_LIMIT_MS'] ?? 120_000);
const apart = { execArgv: ['--expose-gc', `--max-old-space-size=${heapMb}`], limitMs };

/** What an engine does with a chart; `null` if it ends without a result. */
const runApart = (chart: string, engine: string): Promise<Explored | null> =>
  measureApart('explorations', { chart, engine }, apart).catch(() => null);

/** Every engine on one chart, as often as there are rounds; one that failed is not run again. */
const compare = async (chart: string, engines: readonly string[]) => {
  const runs = new Map<string, (Explored | null)[]>(engines.map((engine) => [engine, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const engine of shuffled(engines)) {
      const before = runs.get(engine) ?? [];
      if (!before.includes(null)) before.push(await runApart(chart, engine));
    }
  return engines.map((engine) => {
    const all = runs.get(engine) ?? [];
    const of = (key: keyof Explored): number =>
      all.includes(null) ? Number.NaN : median(all.map((run) => run?.[key] ?? Number.NaN));
    return { engine, found: of('found'), cpuMs: of('cpuMs'), heapMb: of('heapMb'), peakMb: of('peakMb') };
  });
};

const heads = ['chart', 'engine', 'found', 'CPU ms', 'found/s', 'heap MB', 'peak MB', 'x ours'];

const report = async (
  title: string,
  charts: readonly string[],
  engines: readonly string[],
): Promise<void> => {
  console.log(`\n${title}`);
  for (const chart of charts.filter((name) => name.includes(only))) {
    const rows = await compare(chart, engines);
    const found = new Set(rows.map((row) => row.found).filter(Number.isFinite));
    if (found.size !== 1)
      throw new Error(`${chart}: the engines differ in what they find: ${[...found].join(', ')}`);
    const ours = rows[0]?.cpuMs ?? Number.NaN;
    const cells = rows.map((row) => [
      chart,
      row.engine,
      ...[row.found, row.cpuMs, (row.found / row.cpuMs) * 1_000, row.heapMb, row.peakMb].map(shown),
      shown(row.cpuMs / ours),
    ]);
    console.log(columns([heads, ...cells]));
  }
};

await translate();
console.log(`medians of ${rounds} rounds, heap limit ${heapMb} MB, time limit ${limitMs / 1_000} s`);
await report('exploring', Object.keys(explored), Object.keys(explores));
await report('every simple path', Object.keys(walked), Object.keys(walks));
