import { setTimeout } from 'node:timers/promises';
import { missingOf } from '../needs.ts';
import { serverFolder } from '../postgres.ts';
import { measureApart, measureTogether, peersFolder, translate } from './apart.ts';
import { loadLines, percentile, waitingLines, waitingOperations } from './cluster-rows.ts';
import type { ClusterFigures, Load, LoadFigures } from './cluster-rows.ts';
import { newDesk } from './engines/parts.ts';
import { missingPeers } from './engines/registry.ts';
import { circumstances, clusterPackages, keep } from './kept.ts';
import { median, shuffled } from './measure.ts';
import { measureRow, type RowCommits } from './measurements/row.ts';
import { seedOf } from './seed.ts';
import { startServer, type Observed, type Server } from './server.ts';
import { isFull, progress, rounds } from './settings.ts';
import type { Waiting } from './subjects/waiting.ts';
import { columns } from './table.ts';

// What one server of PostgreSQL carries: gated runs of several processes, beside two peers that do the same work, and the
// operations of a store of many tasks that wait. BENCH_TASKS=1000000 adds a larger store, BENCH_ROUNDS=1 makes it short.

const missing = missingOf(['postgres']) ?? missingPeers(peersFolder);
if (missing !== null) throw new Error(missing);

const most = Number(process.env['BENCH_TASKS'] ?? 100_000);
const sizes = [1_000, 10_000, 100_000, 1_000_000].filter((size) => size <= most);
if (sizes.length === 0) throw new RangeError('BENCH_TASKS: expected 1000 or more');

const seconds = 6;
const warmUp = 100;
const limitMs = 120_000;
const real = 24;
const times = 20;

const shapes = [
  { nodes: 1, atOnce: 1 },
  { nodes: 1, atOnce: 16 },
  { nodes: 2, atOnce: 16 },
  { nodes: 4, atOnce: 16 },
] as const;
const loads: readonly Load[] = (['agentcharter', 'langgraph', 'pg-boss'] as const).flatMap((engine) =>
  shapes.map((shape) => ({ engine, ...shape })),
);

const medianOf = <Name extends string>(
  names: readonly Name[],
  all: readonly Readonly<Record<Name, number>>[],
): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, median(all.map((one) => one[name]))])) as Record<
    Name,
    number
  >;

/** Measures a load in a database of its own. */
const measureLoad = async (server: Server, load: Load, database: string): Promise<LoadFigures> => {
  const { engine, nodes, atOnce } = load;
  const packages = engine === 'agentcharter' ? 'own' : 'peers';
  const given = { engine, url: await server.create(database), desk: newDesk() };
  const names = Array.from({ length: nodes }, (_, at) => `node-${at + 1}`);
  await measureApart('prepare', { ...given, nodes: names }, { packages, limitMs });
  const givens = names.map((node) => ({ ...given, node, atOnce, warmUp, seconds }));
  const serve = async (): Promise<readonly [Observed, Observed]> => {
    const before = await server.observe(database);
    await setTimeout(seconds * 1_000);
    return [before, await server.observe(database)];
  };
  const [figures, [before, after]] = await measureTogether('load', givens, { packages, limitMs }, serve);
  const latencies = figures.flatMap((one) => one.latencies);
  const each = (total: number): number => total / latencies.length;
  return {
    runsPerSecond: latencies.length / seconds,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    nodeCpu: each(figures.reduce((sum, { cpu }) => sum + cpu, 0)),
    serverCpu: each(after.cpu - before.cpu),
    transactions: each(after.transactions - before.transactions),
    syncs: each(after.syncs - before.syncs),
    logged: each(after.logged - before.logged),
    connections: before.connections,
  };
};

const tableBytes = `SELECT (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'agentcharter'::regnamespace)::float8 / count(*) AS value FROM agentcharter.task`;

const bytesOfTask = async (server: Server, database: string): Promise<number> => {
  const [row] = (await server.sql(tableBytes, database)) as readonly { readonly value: number }[];
  return row?.value ?? Number.NaN;
};

const measureLoads = async (server: Server): Promise<Pick<ClusterFigures, 'loads' | 'settled'>> => {
  const all = new Map(loads.map((load) => [load, [] as LoadFigures[]]));
  const settled: number[] = [];
  for (let round = 1; round <= rounds; round += 1)
    for (const load of shuffled(loads)) {
      const database = `round_${round}_${loads.indexOf(load)}`;
      progress(`round ${round} of ${rounds}: ${load.nodes} x ${load.atOnce} runs of ${load.engine}`);
      all.get(load)?.push(await measureLoad(server, load, database));
      if (load.engine === 'agentcharter') settled.push(await bytesOfTask(server, database));
      await server.sql(`DROP DATABASE "${database}"`);
    }
  const figures = loads.map((load) => {
    const measured = all.get(load) ?? [];
    const [first] = measured;
    return { ...load, ...medianOf(Object.keys(first ?? {}) as (keyof LoadFigures)[], measured) };
  });
  return { loads: figures, settled: median(settled) };
};

const measureRows = async (server: Server): Promise<RowCommits> => {
  const all: RowCommits[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    progress(`round ${round} of ${rounds}: commits of one row`);
    all.push(await measureRow(server.url()));
  }
  return medianOf(['commit', 'locked'], all);
};

/** Returns a function that says how many tasks there are, every 50,000. */
const reported = (size: number): ((tasks: number) => void) => {
  let said = 0;
  return (tasks) => {
    if (tasks - said < 50_000) return;
    said = tasks;
    progress(`${tasks} of ${size} tasks that wait`);
  };
};

const measureWaiting = async (server: Server): Promise<Pick<ClusterFigures, 'waiting' | 'parked'>> => {
  const database = 'waiting';
  const url = await server.create(database);
  const place = serverFolder();
  try {
    const seed = await seedOf(server, database, place.folder, real);
    const waiting: Record<string, Waiting> = {};
    let parked = Number.NaN;
    for (const size of sizes) {
      await seed.fillTo(size, reported(size));
      parked = await bytesOfTask(server, database);
      const all: Waiting[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        progress(`round ${round} of ${rounds}: ${size} tasks that wait`);
        const answered = await seed.spread(times + 1);
        all.push(await measureApart('waiting', { url, answered, times }, { limitMs }));
      }
      waiting[size] = medianOf(waitingOperations, all);
    }
    return { waiting, parked };
  } finally {
    place.remove();
  }
};

progress('translating the subjects');
await translate();

const server = await startServer();
try {
  const figures: ClusterFigures = {
    ...(await measureLoads(server)),
    ...(await measureRows(server)),
    ...(await measureWaiting(server)),
  };
  console.log(`\nmedians of ${rounds} rounds`);
  console.log(columns(loadLines(figures.loads)));
  console.log(columns(waitingLines(figures.waiting)));
  if (isFull && most >= 100_000) {
    const { versions, ...rest } = circumstances(rounds, null, clusterPackages);
    keep({
      cluster: {
        circumstances: { ...rest, versions: { PostgreSQL: await server.version(), ...versions } },
        figures,
      },
    });
    console.log(
      '\nKept in test/bench/measured.json. Print the page: npx vitest run --config test/vitest.config.ts test/docs/reference/sizing.test.ts -u',
    );
  } else console.log('\nNot kept: only a full run is.');
} finally {
  await server.remove();
}
