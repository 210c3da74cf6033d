import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { getAdjacencyMap, getShortestPaths, getSimplePaths } from '@xstate/graph';
import { explore, simplePaths } from 'agentcharter/testing';
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import { keysOf } from '../../src/testing/key.ts';
import { explored, walked, type Subject } from './charts.ts';

// Each engine in a process of its own, so that its memory is its own, the engines in a shuffled order. CPU time, as these
// machines are noisy; the second of two runs, so that what is measured is not the compiler.

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const heapMb = Number(process.env['BENCH_HEAP_MB'] ?? 2_048);
const limitMs = Number(process.env['BENCH_LIMIT_MS'] ?? 120_000);
const only = process.env['BENCH_ONLY'] ?? '';

/** What one engine did with one chart. */
interface Figures {
  /** States, or simple paths. */
  readonly found: number;
  readonly cpuMs: number;
  /** What the result keeps on the heap. */
  readonly heapMb: number;
  readonly peakMb: number;
}

interface Result {
  readonly found: number;
  /** Kept until it was measured. */
  readonly kept: unknown;
}

type Engine = (subject: Subject) => Result;
type Tool = (machine: AnyStateMachine, options: object) => unknown;

/** The same key, the same events, those left out that are refused: @xstate/graph has no other way than to ask first. */
const optionsOf = ({ machine, exploration: { input, events, project = (whole) => whole } }: Subject) => {
  const eventsOf = typeof events === 'function' ? events : () => events;
  return {
    input,
    serializeState: keysOf(machine, project),
    events: (snapshot: AnyMachineSnapshot): readonly EventObject[] =>
      snapshot.status === 'active' ? eventsOf(snapshot).filter((event) => snapshot.can(event)) : [],
  };
};

const listed =
  (tool: Tool): Engine =>
  (subject) => {
    const kept = tool(subject.machine, optionsOf(subject)) as object;
    return { found: Object.keys(kept).length, kept };
  };

const explores: Readonly<Record<string, Engine>> = {
  explore: ({ machine, exploration }) => {
    const kept = explore(machine, exploration);
    return { found: kept.states.length, kept };
  },
  getAdjacencyMap: listed(getAdjacencyMap as Tool),
  getShortestPaths: listed(getShortestPaths as Tool),
};

const walks: Readonly<Record<string, Engine>> = {
  simplePaths: ({ machine, exploration }) => {
    let found = 0;
    for (const { steps } of simplePaths(explore(machine, exploration))) found += steps.length === -1 ? 0 : 1;
    return { found, kept: null };
  },
  getSimplePaths: listed(getSimplePaths as Tool),
};

const mb = (bytes: number): number => bytes / 2 ** 20;
const heap = (): number => {
  globalThis.gc?.();
  return mb(process.memoryUsage().heapUsed);
};

/** One run, measured. */
const measure = (engine: Engine, subject: Subject): Figures => {
  const before = heap();
  const cpu = process.cpuUsage();
  const { found, kept } = engine(subject);
  const { user, system } = process.cpuUsage(cpu);
  const after = heap();
  return {
    found,
    cpuMs: kept === undefined ? Number.NaN : (user + system) / 1_000,
    heapMb: Math.max(0, after - before),
    peakMb: mb(process.resourceUsage().maxRSS * 1_024),
  };
};

/** What an engine does in a process of its own; a word where it came to no end. */
const runApart = (chart: string, engine: string): Promise<Figures | string> =>
  new Promise((resolve) => {
    const child = fork(fileURLToPath(import.meta.url), [chart, engine], {
      execArgv: [...process.execArgv, '--expose-gc', `--max-old-space-size=${heapMb}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), limitMs);
    child.once('message', (figures) => resolve(figures as Figures));
    child.once('exit', (_, signal) => {
      clearTimeout(timer);
      resolve(signal === 'SIGKILL' ? `more than ${limitMs / 1_000} s` : `more than ${heapMb} MB of heap`);
    });
  });

const shuffled = <T>(list: readonly T[]): readonly T[] =>
  list
    .map((item) => ({ item, rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Every engine on one chart, as often as there are rounds; one that came to no end is not asked again. */
const compare = async (chart: string, engines: readonly string[]) => {
  const runs = new Map<string, (Figures | string)[]>(engines.map((engine) => [engine, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const engine of shuffled(engines)) {
      const before = runs.get(engine) ?? [];
      if (typeof before[0] !== 'string') before.push(await runApart(chart, engine));
    }
  return engines.map((engine) => {
    const all = runs.get(engine) ?? [];
    const figures = all.filter((run): run is Figures => typeof run !== 'string');
    const failed = all.find((run) => typeof run === 'string');
    const of = (key: keyof Figures): number => median(figures.map((run) => run[key]));
    return failed === undefined
      ? { engine, found: of('found'), cpuMs: of('cpuMs'), heapMb: of('heapMb'), peakMb: of('peakMb') }
      : { engine, failed };
  });
};

const column = (value: number, digits: number, width: number): string =>
  value.toFixed(digits).padStart(width);

const report = async (
  title: string,
  charts: readonly string[],
  engines: readonly string[],
): Promise<void> => {
  console.log(`\n${title}`);
  console.log(
    `${'chart'.padEnd(38)}${'engine'.padEnd(18)}${'found'.padStart(8)}${'CPU ms'.padStart(11)}${'found/s'.padStart(10)}${'heap MB'.padStart(9)}${'peak MB'.padStart(9)}  x ours`,
  );
  for (const chart of charts.filter((name) => name.includes(only))) {
    const rows = await compare(chart, engines);
    const found = new Set(rows.flatMap((row) => ('found' in row ? [row.found] : [])));
    if (found.size !== 1)
      throw new Error(`${chart}: the engines differ in what they find: ${[...found].join(', ')}`);
    const ours = rows.flatMap((row) => ('cpuMs' in row ? [row.cpuMs] : []))[0] ?? Number.NaN;
    for (const row of rows) {
      const head = `${chart.padEnd(38)}${row.engine.padEnd(18)}`;
      console.log(
        'failed' in row
          ? `${head}${row.failed}`
          : `${head}${column(row.found, 0, 8)}${column(row.cpuMs, 1, 11)}${column((row.found / row.cpuMs) * 1_000, 0, 10)}${column(row.heapMb, 1, 9)}${column(row.peakMb, 0, 9)}${column(row.cpuMs / ours, 2, 8)}`,
      );
    }
  }
};

const [chart, engine] = process.argv.slice(2);
if (chart !== undefined && engine !== undefined) {
  const trialOf = { ...explored, ...walked }[chart];
  const run = { ...explores, ...walks }[engine];
  if (trialOf === undefined || run === undefined) throw new RangeError(`no ${engine} of ${chart}`);
  const { subject, small } = trialOf();
  run(small);
  process.send?.(measure(run, subject));
} else {
  console.log(`medians of ${rounds} rounds, heap limit ${heapMb} MB, time limit ${limitMs / 1_000} s`);
  await report('exploring', Object.keys(explored), Object.keys(explores));
  await report('every simple path', Object.keys(walked), Object.keys(walks));
}
