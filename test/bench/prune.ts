import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Database from 'libsql';
import { Client } from 'pg';
import { createOrchestrator, defineTaskClass, type Store } from 'agentcharter';
import { postgresStore } from 'agentcharter/stores/postgres';
import { sqliteStore } from 'agentcharter/stores/sqlite';
import { startServer } from './server.ts';
import { progress } from './settings.ts';
import { columns } from './table.ts';

// How long settled tasks are pruned, and what others wait for meanwhile: the longest delay of the event loop, and the longest submit of one that
// submits all the time. A few tasks are made through the library; the others are copies of their rows, as large. BENCH_TASKS=1000 makes it short.

const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' } as const;
const count = Number(process.env['BENCH_TASKS'] ?? 100_000);
const real = 20;
const taskClasses = [defineTaskClass({ id: 'work', tools: [] })];
const sure = { canProceed: true, confidence: 0.9, explanation: 'x'.repeat(2_000) };

const host = (store: Store) =>
  createOrchestrator({
    taskClasses,
    store,
    model: {
      answer: async ({ asks }) => (asks === 'plan' ? { ...sure, calls: [] } : { ...sure, payload: {} }),
    },
  });

const settle = async (orchestrator: ReturnType<typeof host>): Promise<void> => {
  const { taskId } = await orchestrator.submit({ taskClass: 'work', payload: {}, identity });
  await orchestrator.settled(taskId);
};

/** Makes the tasks whose rows are copied. */
const begin = async (store: Store): Promise<void> => {
  const orchestrator = host(store);
  for (let left = real; left > 0; left -= 1) await settle(orchestrator);
  await orchestrator.close();
};

const copyInFile = (file: string): void => {
  const database = new Database(file);
  database.exec('PRAGMA synchronous = OFF');
  const [{ names } = { names: '' }] = database
    .prepare(
      "SELECT group_concat(name, ', ') AS names FROM pragma_table_info('task') WHERE name NOT IN ('id', 'taskId', 'threadId')",
    )
    .all() as { names: string }[];
  const numbers = `WITH RECURSIVE n (n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM n WHERE n < ${1_000 + count - 1})`;
  database.exec(`INSERT INTO task (id, taskId, threadId, ${names})
      ${numbers} SELECT n.n, unhex(printf('%032x', n.n)), unhex(printf('%032x', n.n)), ${names} FROM n JOIN task AS t ON t.id = 1 + n.n % ${real};
    INSERT INTO record (task, seq, body, head, summary, intents, deadlines, snapshot)
      ${numbers} SELECT n.n, seq, body, head, summary, intents, deadlines, snapshot FROM n JOIN record ON task = 1 + n.n % ${real}`);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
};

const copyInServer = async (url: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{
    names: string;
  }>(`SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns
    WHERE table_schema = 'agentcharter' AND table_name = 'task' AND column_name NOT IN ('id', 'task_id', 'thread_id')`);
  const names = rows[0]?.names ?? '';
  const name = `convert_to(lpad(n::text, 32, '0')::uuid::text, 'UTF8')`;
  await client.query(`INSERT INTO agentcharter.task (id, task_id, thread_id, ${names})
      SELECT n, ${name}, ${name}, ${names} FROM generate_series(1000, ${999 + count}) AS n JOIN agentcharter.task AS t ON t.id = 1 + n % ${real};
    INSERT INTO agentcharter.record SELECT n, seq, body FROM generate_series(1000, ${999 + count}) AS n
      JOIN agentcharter.record AS r ON r.task = 1 + n % ${real};
    UPDATE agentcharter.place SET last = ${1_000 + count}; ANALYZE`);
  await client.end();
};

const measure = async (name: string, store: Store): Promise<readonly string[]> => {
  const orchestrator = host(store);
  await settle(orchestrator);
  const settledBefore = Date.now() - 1;
  const alone = monitorEventLoopDelay({ resolution: 1 });
  const delays = monitorEventLoopDelay({ resolution: 1 });
  const over = new AbortController();
  let longest = 0;
  const submitting = (async () => {
    while (!over.signal.aborted) {
      const begun = performance.now();
      await settle(orchestrator);
      longest = Math.max(longest, performance.now() - begun);
    }
  })();
  alone.enable();
  await new Promise((resolve) => void setTimeout(resolve, 5_000));
  alone.disable();
  longest = 0;
  let next = 0;
  const begun = performance.now();
  delays.enable();
  const { pruned } = await orchestrator.prune({
    settledBefore,
    onProgress: ({ pruned: so }) => {
      if (so < next) return;
      progress(`${name}: ${so.toLocaleString('en')} pruned`);
      next = so + count / 5;
    },
  });
  delays.disable();
  const seconds = (performance.now() - begun) / 1_000;
  over.abort();
  await submitting;
  await orchestrator.close();
  return [
    name,
    pruned.toLocaleString('en'),
    seconds.toFixed(0),
    (alone.max / 1e6).toFixed(0),
    (delays.max / 1e6).toFixed(0),
    (delays.percentile(99) / 1e6).toFixed(0),
    longest.toFixed(0),
  ];
};

const folder = mkdtempSync(join(tmpdir(), 'prune-'));
const server = await startServer();
try {
  const file = join(folder, 'tasks.db');
  await begin(sqliteStore(file));
  copyInFile(file);
  const lines = [await measure('SQLite', sqliteStore(file))];
  const url = await server.create('prune');
  await begin(postgresStore({ connectionString: url }));
  await copyInServer(url);
  lines.push(await measure('PostgreSQL', postgresStore({ connectionString: url })));
  const header = [
    'store',
    'pruned',
    'seconds',
    'longest delay of the loop without it, ms',
    'with it, ms',
    '99 of 100, ms',
    'longest task beside it, ms',
  ];
  console.log(columns([header, ...lines]));
} finally {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
}
