import { Client } from 'pg';
import { postgresStore } from 'agentcharter/stores/postgres';
import type { Step } from 'agentcharter/stores';
import { takeStatement } from '../../src/stores/postgres/holds.ts';
import { codingOf } from '../../src/stores/codec.ts';
import { commitStatement } from '../../src/stores/postgres/write.ts';
import { guardParts, taskClass } from './engines/parts.ts';
import { median, spent } from './measure.ts';
import { startServer, type Server } from './server.ts';
import { progress } from './settings.ts';
import { copiesOf, parkedIn, stepsOfRun } from './steps.ts';
import { columns, shown } from './table.ts';

// What waiting tasks cost a server: bytes, a poll among them, and commits a second. A few tasks are made through the library; the others
// are copies of their rows, made in SQL: as large, but their ledgers do not verify. BENCH_TASKS=10000 makes it short.

const most = Number(process.env['BENCH_TASKS'] ?? 1_000_000);
const sizes = [1_000, 100_000, 1_000_000].filter((size) => size <= most);
const real = 20;
const writer = { node: '00000000-0000-4000-8000-000000000000', lease: 60_000 };
const bytes = `SELECT (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r'
  AND relnamespace = 'agentcharter'::regnamespace)::float8 / count(*) AS value FROM agentcharter.task`;
const copied = `SELECT string_agg(column_name, ', ') AS value FROM information_schema.columns
  WHERE table_schema = 'agentcharter' AND table_name = 'task' AND column_name NOT IN ('id', 'task_id', 'thread_id')`;

const connected = async (connectionString: string): Promise<Client> => {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
};

const ask = async <Value>(client: Client, text: string): Promise<Value> =>
  (await client.query<{ value: Value }>(text)).rows[0]!.value;

/** SQL for a name of a task or a message, by its place. */
const name = (of: string): string =>
  `convert_to((lpad(to_hex(${of}), 12, '0') || substr(md5((${of})::text), 1, 20))::uuid::text, 'UTF8')`;

/** Adds copies of the first tasks until there are so many; with `isBare`, their rows of the index alone. */
const fillTo = async (client: Client, size: number, isBare: boolean): Promise<void> => {
  const rest = await ask<string>(client, copied);
  const last = await ask<number>(client, 'SELECT max(id)::float8 AS value FROM agentcharter.task');
  for (let from = last + 1; from <= size; from += 20_000) {
    const all = `generate_series(${from}, ${Math.min(size, from + 19_999)}) AS n JOIN agentcharter`;
    await client.query(`INSERT INTO agentcharter.task (id, task_id, thread_id, ${rest})
      SELECT n, ${name('n')}, ${name('n')}, ${rest} FROM ${all}.task AS t ON t.id = 1 + n % ${real}`);
    if (!isBare)
      await client.query(`INSERT INTO agentcharter.record
          SELECT n, seq, body FROM ${all}.record AS r ON r.task = 1 + n % ${real};
        INSERT INTO agentcharter.message (id, task, seq)
          SELECT ${name('n * 16 + seq')}, n, seq FROM ${all}.message AS m ON m.task = 1 + n % ${real}`);
  }
  await client.query('VACUUM (ANALYZE)');
};

/** Returns the median milliseconds and pages of a poll for eight tasks. What it takes is given back. */
const poll = async (client: Client, chart: string, taskClass: string): Promise<readonly string[]> => {
  const tools = guardParts().tools.map((tool) => tool.name);
  const able = { charts: [chart], taskClasses: [taskClass], tools, agents: [taskClass] };
  const { text, values = [] } = takeStatement('agentcharter', able, 8, undefined, writer);
  const [times, pages]: [number[], number[]] = [[], []];
  while (times.length < 21) {
    await client.query('BEGIN');
    const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [...values]);
    await client.query('ROLLBACK');
    const [{ Plan: plan, 'Execution Time': time }] = rows[0]['QUERY PLAN'];
    times.push(time);
    pages.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
  }
  return [shown(median(times)), median(pages).toLocaleString('en')];
};

const measurePolls = async (server: Server, isOwed: boolean): Promise<readonly (readonly string[])[]> => {
  const url = await server.create(isOwed ? 'owed' : 'asking');
  await parkedIn(postgresStore({ connectionString: url }), real);
  const client = await connected(url);
  if (isOwed) await client.query('UPDATE agentcharter.task SET is_owed = true, asking = 0, due = NULL');
  const chart = await ask<string>(client, 'SELECT max(chart) AS value FROM agentcharter.task');
  const lines: (readonly string[])[] = [];
  for (const size of sizes) {
    const [tasks, of] = [size.toLocaleString('en'), isOwed ? 'a process' : 'a person'];
    progress(`${tasks} tasks that wait for ${of}`);
    await fillTo(client, size, isOwed);
    const each = isOwed ? '' : shown(await ask<number>(client, bytes));
    lines.push([tasks, of, each, ...(await poll(client, chart, taskClass))]);
    if (isOwed) lines.push([tasks, 'one of another class', '', ...(await poll(client, chart, 'other'))]);
  }
  await client.end();
  return lines;
};

const plain = codingOf(undefined, 'backlog');

/** Returns the commits a second of runs over connections. The steps of a run follow each other. */
const measureCommits = async (url: string, count: number, copy: () => readonly Step[]): Promise<number> => {
  const tasks = Array.from({ length: 40 + 60 * count }, copy);
  const steps = tasks.flat().length;
  const clients = await Promise.all(Array.from({ length: count }, () => connected(url)));
  const work = async (client: Client): Promise<void> => {
    for (let task = tasks.pop(); task !== undefined; task = tasks.pop())
      for (const step of task) {
        const { text, values = [] } = commitStatement('agentcharter', { ...step, fence: 1 }, writer, plain);
        const { rows } = await client.query({ name: 'commit', text, values: [...values] });
        if (rows[0].answer !== 'ok') throw new Error(`a step was not written: ${rows[0].answer}`);
      }
  };
  const { wall } = await spent(() => Promise.all(clients.map(work)));
  for (const client of clients) await client.end();
  return (steps / wall) * 1e6;
};

const server = await startServer();
try {
  const [run, url] = [await stepsOfRun(), await server.create('commits')];
  await parkedIn(postgresStore({ connectionString: url }), 1);
  const lines = [['connections', `commits a second (${run.length} a run)`]];
  for (const count of [1, 4, 8]) {
    const rounds: number[] = [];
    while (rounds.length < 3) rounds.push(await measureCommits(url, count, copiesOf(run)));
    lines.push([String(count), shown(median(rounds))]);
  }
  console.log(columns(lines));
  const polls = [...(await measurePolls(server, false)), ...(await measurePolls(server, true))];
  console.log(columns([['tasks', 'wait for', 'bytes each', 'ms of a poll', 'pages'], ...polls]));
} finally {
  await server.remove();
}
