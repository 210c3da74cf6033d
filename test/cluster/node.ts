import { writeSync } from 'node:fs';
import { createOrchestrator, type Clock, type Model, type Orchestrator } from 'agentcharter';
import type { Feedback } from '../../src/base/feedback/feedback.ts';
import { startPgBoss } from 'agentcharter/drivers/pg-boss';
import { Pool } from 'pg';
import PgBoss from 'pg-boss';
import { jwsApprovals, type ApprovalKeySet } from 'agentcharter/approvals';
import { postgresStore } from 'agentcharter/stores/postgres';
import { identity } from '../src/core/shell/scripted.ts';
import { model, parties, taskClasses, toolsOf, verifiersOf, type ClassName, type Reach } from './charter.ts';
import { machineTime, type Effect, type NodeEvent } from './events.ts';
import { plantIn, type Planted } from './planted.ts';
import { watched } from './watched.ts';

/** What a node is given when it starts. */
export interface NodeConfig {
  /** Its name, with the number of its life. */
  readonly node: string;
  readonly connectionString: string;
  readonly lease: number;
  readonly poll: number;
  readonly world: string;
  readonly desk: ApprovalKeySet;
  /** Milliseconds by which its clock is wrong. */
  readonly clockError: number;
  /** The task class and tool that this version of the deployment lacks. */
  readonly lacks: { readonly taskClass: ClassName; readonly tool: string } | null;
  readonly planted: Planted | null;
  /** Who decides when a task is performed. */
  readonly driver: Driver;
}

/** The nodes themselves, or a queue of pg-boss on the same server. */
export type Driver = 'nodes' | 'pg-boss';

/** What the outside asks of a node. */
export type Ask =
  | { readonly do: 'submit'; readonly taskClass: ClassName; readonly key: string }
  | { readonly do: 'inbox' }
  /** Keeps the event loop busy; answers how long it was. */
  | { readonly do: 'compute'; readonly for: number }
  | { readonly do: 'stuck' }
  /** What an operator, or a queue, does with a stuck task. */
  | { readonly do: 'retry' | 'skip' | 'perform'; readonly task: string }
  | { readonly do: 'answer'; readonly feedback: Feedback; readonly key: string; readonly approval?: string };

export type Asked = Ask & { readonly id: number };
export type Answered = { readonly id: number } & (
  { readonly value: unknown } | { readonly error: string; readonly code: string }
);

const config = JSON.parse(process.argv[2] ?? '') as NodeConfig;
const { node, lacks, planted, clockError, driver } = config;

const print = (event: NodeEvent): void => void writeSync(1, `${JSON.stringify(event)}\n`);

const clock: Clock = {
  now: () => Date.now() + clockError,
  wakeAt: (at, wake) => {
    const timer = setTimeout(wake, Math.max(0, at - clockError - Date.now()));
    return () => clearTimeout(timer);
  },
  monotonic: () => performance.now(),
};

const reach: Reach = {
  asksFirst: planted !== 'no fence at the effect',
  dawdle: () => new Promise((resolve) => setTimeout(resolve, Math.random() * 600)),
  ask: async (request) => {
    const response = await fetch(config.world, { method: 'POST', body: JSON.stringify(request) });
    return ((await response.json()) as { readonly answer: Effect['answer'] }).answer;
  },
};

const compute = (milliseconds: number): void => {
  const ends = performance.now() + milliseconds;
  while (performance.now() < ends);
};

/** Ends the process, as no memory or a native crash does. */
const end = (key: unknown): void => {
  print({ is: 'poisoned', node, at: machineTime(), key: String(key) });
  process.exit(9);
};

/** Keeps the event loop busy before each answer, as a tokenizer or a parser does: in sum, for longer than a lease. */
const computing: Model = {
  answer: (turn, options) => {
    compute(Math.random() * 80);
    if (turn.taskClass === 'thinking') end(turn.request['of']);
    return model.answer(turn, options);
  },
};

const store = watched(
  node,
  plantIn(
    planted,
    postgresStore({ connectionString: config.connectionString, lease: config.lease, poll: config.poll }),
    config,
  ),
  print,
);

const orchestrator: Orchestrator = createOrchestrator({
  taskClasses: taskClasses.filter(({ id }) => id !== lacks?.taskClass),
  tools: toolsOf(reach).filter(({ name }) => name !== lacks?.tool),
  model: computing,
  verifiers: verifiersOf(end),
  policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
  approvals: jwsApprovals({ ...parties, keys: config.desk }),
  store,
  clock,
  takes: driver === 'nodes',
});

const verbose = (error: unknown): void => {
  if (process.env['CLUSTER_VERBOSE'] !== undefined) console.error(node, error);
};
orchestrator.on('error', ({ error }) => verbose(error));

const perform = async (ask: Ask): Promise<unknown> => {
  switch (ask.do) {
    case 'submit': {
      const request = { taskClass: ask.taskClass, payload: { of: ask.key }, identity } as const;
      return (await orchestrator.submit(request, { key: ask.key })).taskId;
    }
    case 'inbox':
      return orchestrator.inbox();
    case 'compute': {
      const began = performance.now();
      const turn = new Promise((resolve) => setTimeout(resolve, 0));
      compute(ask.for);
      await turn;
      return performance.now() - began;
    }
    case 'stuck':
      return orchestrator.stuck({ after: 3_600_000 });
    case 'retry':
    case 'skip':
    case 'perform':
      return orchestrator[ask.do](ask.task);
    case 'answer': {
      const { feedback, key, approval } = ask;
      return orchestrator.respond(feedback, { by: 'dana', key, ...(approval !== undefined && { approval }) });
    }
  }
};

const reply = (answer: Answered): void => void process.send?.(answer);

process.on('message', (asked: Asked) => {
  perform(asked).then(
    (value) => reply({ id: asked.id, value: value ?? null }),
    (error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      reply({ id: asked.id, error: String(error), code });
    },
  );
});
process.on('disconnect', () => process.exit());
await orchestrator.recover().catch(() => {}); // a server that is down: the node looks again

const pool = new Pool({
  connectionString: config.connectionString,
  max: 3,
  query_timeout: 4_000,
  connectionTimeoutMillis: 4_000,
});
pool.on('error', verbose);

/** Performs jobs, once the server is there. */
const work = async (): Promise<void> => {
  // its own pool waits for ever for a connection that was cut
  const boss = new PgBoss({ db: { executeSql: (text, values) => pool.query(text, values) }, schema: 'boss' });
  boss.on('error', verbose);
  try {
    await boss.start();
    await startPgBoss(orchestrator, boss, { concurrency: 4, onError: verbose });
  } catch (error) {
    verbose(error);
    await boss.stop({ graceful: false, wait: false }).catch(verbose);
    setTimeout(() => void work(), 500);
  }
};
if (driver === 'pg-boss') {
  process.on('unhandledRejection', verbose); // of pg-boss 10, whose server fails while it notes the end of a job
  await work();
}
reply({ id: 0, value: 'ready' });
