import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  createOrchestrator,
  defineTaskClass,
  defineTool,
  defineVerifier,
  type Model,
  type OrchestratorOptions,
  type Store,
} from 'agentcharter';
import type { LedgerRecord } from 'agentcharter/ledger';
import type { Step } from 'agentcharter/stores';
import { taskMachine, type Fact } from 'agentcharter/machines';
import { memoryStore } from 'agentcharter/stores/memory';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import Libsql from 'libsql';
import { createActor, type Actor } from 'xstate';
import { z } from 'zod';
import { randomIds } from '../../src/orchestrator/clock.ts';
import { rehydrate } from '../../src/orchestrator/rehydrate.ts';
import { environmentOf } from '../../src/orchestrator/options.ts';
import { Task } from '../../src/orchestrator/task.ts';
import { connect } from '../../src/stores/sqlite/connection.ts';
import { migrations } from '../../src/stores/sqlite/layout.ts';
import { createStore } from '../../src/stores/sqlite/store.ts';

// What it costs to keep tasks: each figure beside a reference of the same round. CPU time where the work is ours, and
// wall time beside it where a disk has to sync. Parked tasks in a process of their own, so that its memory is its own.

const roundsOf = Number(process.env['BENCH_ROUNDS'] ?? 3);
const forMs = Number(process.env['BENCH_MS'] ?? 1_500);
const most = Number(process.env['BENCH_PARKED'] ?? 10_000);
const only = process.env['BENCH_ONLY'] ?? '';

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const inFolder = async <Result>(work: (folder: string) => Promise<Result>): Promise<Result> => {
  const folder = mkdtempSync(join(tmpdir(), 'agentcharter-bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Microseconds: of this process, garbage collection included, and of the world. */
interface Spent {
  readonly cpu: number;
  readonly wall: number;
}

const spent = async (work: () => unknown): Promise<Spent> => {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: user + system, wall: (performance.now() - wall) * 1_000 };
};

const over = ({ cpu, wall }: Spent, runs: number): Spent => ({ cpu: cpu / runs, wall: wall / runs });

type Figures = Readonly<Record<string, Spent>>;
type Engines = Readonly<Record<string, () => unknown>>;

const line = (name: string, cells: readonly (string | number)[]): void =>
  console.log(name.padEnd(42) + cells.map((cell) => String(cell).padStart(12)).join(''));

/** Prints engines beside the first of them, by the median of the rounds; the first round was to warm. */
const print = (title: string, unit: string, [, ...rounds]: readonly Figures[]): void => {
  console.log();
  line(title, [`CPU us/${unit}`, 'x', `us/${unit}`, 'x', `${unit}s/s`]);
  const [reference = '', ...others] = Object.keys(rounds[0] ?? {});
  for (const name of [reference, ...others]) {
    const of = (kind: keyof Spent) => median(rounds.map((round) => round[name]![kind]));
    const beside = (kind: keyof Spent) =>
      median(rounds.map((round) => round[name]![kind] / round[reference]![kind])).toFixed(2);
    const [cpu, wall] = [of('cpu'), of('wall')];
    line(name, [cpu.toFixed(1), beside('cpu'), wall.toFixed(1), beside('wall'), (1e6 / wall).toFixed(0)]);
  }
};

/** Every engine for a while in every round; `units` is how many of what is counted one run holds. */
const compare = async (title: string, unit: string, units: number, engines: Engines) => {
  const rounds: Record<string, Spent>[] = [];
  for (let round = 0; round <= roundsOf; round += 1) {
    const figures: Record<string, Spent> = {};
    for (const [name, run] of Object.entries(engines)) {
      const end = performance.now() + forMs;
      let runs = 0;
      const all = await spent(async () => {
        for (; runs === 0 || performance.now() < end; runs += 1) await run();
      });
      figures[name] = over(all, runs * units);
    }
    rounds.push(figures);
  }
  print(title, unit, rounds);
};

const tool = (name: string, tier: 'read_only' | 'write_low_risk') =>
  defineTool({ name, description: name, tier, input: z.object({}), call: async () => ({ done: name }) });

const beforeDeliver = { evidence: [{ type: 'tool_result' as const }], verifiers: ['v'] };

/** One that calls these tools, and is as sure of its plan and of its draft as it is told. */
const settingOf = (tools: readonly string[], { plan = 0.9, draft = 0.9 } = {}) => {
  const calls = tools.map((name) => ({ tool: name, arguments: {} }));
  const output = { canProceed: true, explanation: 'This is what I would do.' };
  const answer: Model['answer'] = async ({ asks }) =>
    asks === 'plan' ? { ...output, confidence: plan, calls } : { ...output, confidence: draft, payload: {} };
  return {
    taskClasses: [defineTaskClass({ id: 'bench', tools: ['read', 'write'], beforeDeliver })],
    tools: [tool('read', 'read_only'), tool('write', 'write_low_risk')],
    verifiers: [defineVerifier({ id: 'v', verify: () => ({ checks: [{ check_id: 'c', result: 'pass' }] }) })],
    policy: { decide: () => ({ verdict: 'needs_review' as const, reasons: [] }) },
    model: { answer },
  };
};

const identity = { agent_id: 'a', owner_id: 'o', control_class: 'autonomous' as const };
const submission = { taskClass: 'bench', payload: { wish: 'a list of ten' }, identity };

/** A whole run of an orchestrator, and what ends it; who is asked approves. */
const orchestrated = (calls: readonly string[], options: Partial<OrchestratorOptions> = {}) => {
  const orchestrator = createOrchestrator({ ...settingOf(calls), ...options });
  orchestrator.on('question', ({ message }) =>
    orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' }),
  );
  const run = async () => orchestrator.settled((await orchestrator.submit(submission)).taskId);
  return { run, orchestrator };
};

/** The steps of one run, as its store was given them. */
const stepsOf = async (calls: readonly string[]): Promise<readonly Step[]> => {
  const steps: Step[] = [];
  const inner = memoryStore();
  const commit: Store['commit'] = (step) => {
    steps.push(step);
    return inner.commit(step);
  };
  const { run, orchestrator } = orchestrated(calls, { store: { ...inner, commit } });
  await run();
  await orchestrator.close();
  return steps;
};

type Ledger = readonly LedgerRecord[];
type SendFact = (actor: Actor<typeof taskMachine>, fact: Fact) => void;

/** The same facts, told to a chart that nobody records. */
const bare = ([opening, ...rest]: Ledger, tell: SendFact) => {
  const input = { taskClass: opening!.brought.contract!, request: opening!.request_id };
  return (): void => {
    const actor = createActor(taskMachine, { input }).start();
    for (const { fact } of rest) tell(actor, fact!);
  };
};

/** The same facts, recorded by a task for which nobody performs anything. */
const steps = ([opening, ...rest]: Ledger) => {
  const store = memoryStore();
  const given: string[] = [];
  const ids = { uuid: () => given.pop() ?? randomIds.uuid(), traceId: () => opening!.trace_id };
  const base = environmentOf({ ...settingOf(['read']), store, ids }, () => {});
  const taskClass = base.taskClassOf('bench');
  const environment = { ...base, children: undefined as never }; // nobody performs what would begin one
  return async (): Promise<void> => {
    given.push(opening!.request_id);
    const task = Task.of(randomIds.uuid(), opening!.brought.request!, taskClass, environment);
    await task.begin(opening!.actor);
    for (const { fact, actor, brought } of rest)
      if (!(await task.submitFact(fact!, { actor, brought }))) throw new Error(`${fact!.type} was not taken`);
    task.beginClose();
  };
};

const facts = (): Promise<void> =>
  inFolder(async (folder) => {
    const records = (await stepsOf(['read'])).map(({ record }) => record);
    const count = records.length - 1; // the first opens the task
    const onMemory = orchestrated(['read'], { store: memoryStore() });
    const onSqlite = orchestrated(['read'], { store: sqliteStore(join(folder, 'tasks.db')) });
    await compare(`a run of ${count} facts, read only`, 'fact', count, {
      'bare chart, live actor': bare(records, (actor, fact) => actor.send(fact)),
      'the same, asked first, snapshots as JSON': bare(records, (actor, fact) => {
        actor.getSnapshot().can(fact);
        actor.send(fact);
        JSON.stringify(actor.getPersistedSnapshot());
      }),
      'steps recorded on memoryStore, no more': steps(records),
      'orchestrator on memoryStore': onMemory.run,
      'orchestrator on sqliteStore': onSqlite.run,
    });
    await onMemory.orchestrator.close();
    await onSqlite.orchestrator.close();
  });

/** The same steps of another task: no identifier is used twice. */
const renamed = (given: readonly Step[]): readonly Step[] => {
  const names = new Map<string, string>();
  const rename = (name: string): string => {
    const known = names.get(name) ?? randomIds.uuid();
    names.set(name, known);
    return known;
  };
  const text = JSON.stringify(given).replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, rename);
  return JSON.parse(text) as readonly Step[];
};

type Write = readonly [sql: string, values: readonly (string | number | null)[]];

/** What the store writes for each step: its statements and their values, and nothing that it reads. */
const writesOf = async (file: string, all: readonly Step[]): Promise<readonly (readonly Write[])[]> => {
  const writes: Write[] = [];
  const noted: typeof connect = (name, timeout) => {
    const inner = connect(name, timeout);
    const insert: typeof inner.insert = (sql, ...values) => {
      writes.push([sql, values]);
      return inner.insert(sql, ...values);
    };
    return { ...inner, insert, run: (sql, ...values) => void insert(sql, ...values) };
  };
  const store = createStore(file, 500, { timeout: 5_000, migrations, connect: noted });
  await store.taskIndex();
  const each: (readonly Write[])[] = [];
  for (const step of all) {
    await store.commit(step);
    each.push([['BEGIN IMMEDIATE', []], ...writes.splice(0), ['COMMIT', []]]);
  }
  await store.close();
  return each;
};

const pragmas = ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON', 'secure_delete = ON'];

/** The driver alone, on a file of the same layout. */
const rawDriver = async (file: string) => {
  await writesOf(file, []);
  const driver = new Libsql(file);
  for (const pragma of pragmas) driver.exec(`PRAGMA ${pragma}`);
  const statements = new Map<string, ReturnType<typeof driver.prepare>>();
  const write = ([sql, values]: Write): void => {
    const statement = statements.get(sql) ?? driver.prepare(sql);
    statements.set(sql, statement);
    statement.run(values);
  };
  return { write, close: () => void driver.close() };
};

/** What a file holds, to the byte. */
const heldBy = (file: string): string => {
  const driver = new Libsql(file);
  const bytes = Object.entries({ task: 'snapshot', record: 'text', document: 'text', emission: 'text' }).map(
    ([table, text]) => driver.prepare(`SELECT count(*), sum(length(${text})) FROM ${table}`).raw().get([]),
  );
  driver.close();
  return JSON.stringify(bytes);
};

/** One round: tasks of the same steps, each written by both in turn. */
const commitRound = (recorded: readonly Step[], count: number): Promise<Figures> =>
  inFolder(async (folder) => {
    const tasks = Array.from({ length: count }, () => renamed(recorded));
    const writes = await writesOf(join(folder, 'noted.db'), tasks.flat());
    const raw = await rawDriver(join(folder, 'raw.db'));
    const store = sqliteStore(join(folder, 'store.db'));
    await store.taskIndex();
    const byDriver = (from: number): void => {
      for (const step of writes.slice(from, from + recorded.length)) for (const one of step) raw.write(one);
    };
    const sums = [
      { name: 'raw driver, the same writes', cpu: 0, wall: 0 },
      { name: 'sqliteStore.commit', cpu: 0, wall: 0 },
    ];
    for (const [task, steps] of tasks.entries())
      for (const sum of task % 2 === 0 ? sums : sums.toReversed()) {
        const { cpu, wall } = await spent(async () => {
          if (sum === sums[0]) byDriver(task * recorded.length);
          else for (const step of steps) await store.commit(step);
        });
        sum.cpu += cpu;
        sum.wall += wall;
      }
    raw.close();
    await store.close();
    const [ofRaw, ofStore] = [heldBy(join(folder, 'raw.db')), heldBy(join(folder, 'store.db'))];
    if (ofRaw !== ofStore) throw new Error(`not the same was written: ${ofRaw} and ${ofStore}`);
    return Object.fromEntries(sums.map(({ name, ...sum }) => [name, over(sum, writes.length)]));
  });

const commits = async (): Promise<void> => {
  const recorded = await stepsOf(['read', 'write']);
  const rounds: Figures[] = [];
  for (let round = 0; round <= roundsOf; round += 1)
    rounds.push(await commitRound(recorded, Math.max(10, Math.ceil(forMs / 12))));
  print(`${recorded.length} steps of a gated write, WAL, FULL`, 'step', rounds);
};

const heap = (): number => {
  globalThis.gc?.();
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

/** Tasks that wait at a question about their plan; only so many at once are on their way there. */
const park = async (options: OrchestratorOptions, count: number) => {
  const orchestrator = createOrchestrator(options);
  const seen = { asked: 0, last: '' };
  orchestrator.on('question', ({ message }) => {
    seen.asked += 1;
    seen.last = message.messageId;
  });
  const more = async (wanted: number): Promise<void> => {
    for (let left = wanted; left > 0; left -= 50) {
      const until = seen.asked + Math.min(50, left);
      await Promise.all(Array.from({ length: Math.min(50, left) }, () => orchestrator.submit(submission)));
      while (seen.asked < until) await setImmediate();
    }
  };
  await more(count);
  return { orchestrator, more, last: () => seen.last };
};

const kinds: Readonly<Record<string, (file: string) => Partial<OrchestratorOptions>>> = {
  'on sqliteStore': (file) => ({ store: sqliteStore(file) }),
  'on sqliteStore, none let go of': (file) => ({ store: sqliteStore(file), idleTasks: 1e9 }),
  'on memoryStore, with what it keeps': () => ({ store: memoryStore() }),
};

/** Parks tasks, then takes them up by another orchestrator on the same file. */
const parkedHere = (kind: string, count: number): Promise<void> =>
  inFolder(async (folder) => {
    const file = join(folder, 'tasks.db');
    const options = () => ({ ...settingOf(['read'], { plan: 0.1 }), ...kinds[kind]?.(file) });
    const { orchestrator, more, last } = await park(options(), 200);
    const before = heap();
    const { cpu } = await spent(() => more(count));
    const bytes = heap() - before;
    await orchestrator.close();
    const figures = [bytes / 1_024, bytes / count, process.memoryUsage().rss / 2 ** 20, cpu / count];
    const show = (cells: readonly number[]) =>
      line(
        `${count} ${kind}`,
        cells.map((cell) => cell.toFixed(0)),
      );
    if (kind.includes('memory')) return show(figures);
    const next = createOrchestrator(options());
    const recover = await spent(() => next.recover());
    const answer = await spent(() => next.respond({ type: 'approve', target: last() }, { by: 'dana' }));
    await next.close();
    show([...figures, statSync(file).size / (count + 200), recover.wall / 1_000, answer.wall / 1_000]);
  });

const parked = async (): Promise<void> => {
  const columns = ['heap KB', 'B/task', 'RSS MB', 'park CPU us', 'disk B/task', 'recover ms', 'answer ms'];
  console.log();
  line('tasks that wait at a question', columns);
  const [first = '', ...others] = Object.keys(kinds);
  const counts = [1_000, 10_000, 100_000].filter((count) => count <= most);
  const all = [...others.map((kind) => [kind, 1_000]), ...counts.map((count) => [first, count])];
  for (const one of all) {
    const execArgv = [...process.execArgv, '--expose-gc'];
    const [code] = await once(fork(fileURLToPath(import.meta.url), one.map(String), { execArgv }), 'exit');
    if (code !== 0) throw new Error(`parking ${one.join(' ')} ended with ${code}`);
  }
};

/** A task that waits at a question about its draft, loaded anew again and again. */
const load = (calls: number): Promise<void> =>
  inFolder(async (folder) => {
    const store = sqliteStore(join(folder, 'tasks.db'));
    const setting = settingOf(Array<string>(calls).fill('read'), { draft: 0.1 });
    const { orchestrator } = await park({ ...setting, store }, 1);
    const [indexEntry] = await store.taskIndex();
    const stored = (await store.load(indexEntry!.taskId))!;
    await compare(`a task of ${stored.records.length} records`, 'load', 1, {
      'bare chart, the same facts': bare(stored.records, (actor, fact) => actor.send(fact)),
      'sqliteStore.load': () => store.load(indexEntry!.taskId),
      'folded: seals, chart, snapshots': () => rehydrate(stored),
    });
    await orchestrator.close();
  });

const parts: Readonly<Record<string, () => Promise<void>>> = {
  facts,
  commits,
  parked,
  'loads of few': () => load(3),
  'loads of many': () => load(23),
};

const [, , kind, count] = process.argv;
if (kind !== undefined) await parkedHere(kind, Number(count));
else for (const [name, part] of Object.entries(parts)) if (name.includes(only)) await part();
