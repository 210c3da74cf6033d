import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { postgresStore } from 'agentcharter/stores/postgres';
import { shards } from '../../src/stores/postgres/tables.ts';
import type { Cluster } from '../postgres.ts';
import { createCopier, hashedIn } from './copies.ts';
import { parkedIn } from './steps.ts';

// Fills a database with tasks that wait, by COPY: a few real ones, and copies of their rows whose ledgers verify.

/** The tables of a task, and the column of each that has its place. */
const tables = [
  ['task', 'id'],
  ['record', 'task'],
  ['message', 'task'],
] as const;

const schema = 'agentcharter';

/** The server counts these itself. */
const counted = ['message.place'];

/** Names are bytes: this is how they read as text. */
const asText = "SET bytea_output = 'escape';";

/** Fills a database. */
export interface Seed {
  /** Adds copies until there are so many tasks. */
  readonly fillTo: (tasks: number, progress: (tasks: number) => void) => Promise<void>;
  /** Returns the ids of so many tasks that wait, spread over all. */
  readonly spread: (count: number) => Promise<readonly string[]>;
}

/** The number of copies that are written at once. */
const atOnce = 5_000;

/** Parks real tasks in a new database. `folder` belongs to the user of the server. */
export const seedOf = async (
  { sql, url }: Pick<Cluster, 'sql' | 'url'>,
  database: string,
  folder: string,
  real: number,
): Promise<Seed> => {
  const run = (text: string) => sql(text, database);
  const numberOf = async (text: string): Promise<number> => {
    const [row] = (await run(`SELECT (${text})::float8 AS value`)) as readonly { readonly value: number }[];
    return row?.value ?? Number.NaN;
  };
  const originals = await parkedIn(postgresStore({ connectionString: url('postgres', database) }), real);
  const others = `(SELECT count(*) FROM ${schema}.step_key) + (SELECT count(*) FROM ${schema}.approval)`;
  if ((await numberOf(others)) > 0) throw new Error('a task that waits has rows that are not copied');

  const columnsOf = async (table: string, place: string): Promise<string> => {
    const names = (await run(`SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = '${schema}' AND table_name = '${table}' ORDER BY ordinal_position`)) as readonly {
      readonly name: string;
    }[];
    return names
      .map(({ name }) => name)
      .filter((name) => name !== place && !counted.includes(`${table}.${name}`))
      .join(', ');
  };
  const columns = new Map<string, string>();
  for (const [table, place] of tables) columns.set(table, await columnsOf(table, place));

  const rowsOf = async (taskId: string): Promise<readonly string[]> => {
    const texts: string[] = [];
    for (const [table, place] of tables) {
      const file = join(folder, `${taskId}.${table}`);
      const its = `(SELECT id FROM ${schema}.task WHERE task_id = '${taskId}')`;
      await run(
        `${asText} COPY (SELECT ${columns.get(table)} FROM ${schema}.${table} WHERE ${place} = ${its}) TO '${file}'`,
      );
      texts.push(readFileSync(file, 'utf8'));
    }
    return texts;
  };
  const copiers: (() => readonly string[])[] = [];
  for (const steps of originals) {
    const { copy, unknown } = createCopier(await rowsOf(steps[0]?.taskId ?? ''), hashedIn(steps));
    if (unknown.length > 0) throw new Error(`no text is known of ${unknown.join(', ')}`);
    copiers.push(copy);
  }

  const addCopies = async (from: number, to: number): Promise<void> => {
    const files = tables.map(([table]) => join(folder, table));
    for (const file of files) rmSync(file, { force: true });
    for (let place = from; place <= to; place += 1) {
      const texts = copiers[place % copiers.length]?.() ?? [];
      for (const [index, text] of texts.entries())
        appendFileSync(files[index] ?? '', text.replaceAll(/^(?=.)/gm, `${place}\t`));
    }
    for (const [index, [table, place]] of tables.entries())
      await run(`${asText} COPY ${schema}.${table} (${place}, ${columns.get(table)}) FROM '${files[index]}'`);
  };

  return {
    fillTo: async (tasks, progress) => {
      for (;;) {
        const last = await numberOf(`SELECT max(id) FROM ${schema}.task`);
        progress(last);
        if (last >= tasks) break;
        await addCopies(last + 1, Math.min(tasks, last + atOnce));
      }
      await run(`UPDATE ${schema}.place SET last = (SELECT max(id) FROM ${schema}.task)`);
      await run(`UPDATE ${schema}.tally AS c SET tasks = t.tasks, settled = t.settled, asking = t.waiting, questions = t.asked
        FROM (SELECT id % ${shards} AS shard, count(*) AS tasks, count(*) FILTER (WHERE is_settled) AS settled,
          count(*) FILTER (WHERE asking > 0) AS waiting, sum(asking) AS asked FROM ${schema}.task GROUP BY 1) AS t
        WHERE c.shard = t.shard`);
      await run('VACUUM (ANALYZE)');
      await run('CHECKPOINT');
    },
    spread: async (count) => {
      const rows = (await run(`SELECT convert_from(task_id, 'UTF8') AS name FROM (
        SELECT task_id, row_number() OVER (ORDER BY id) AS nth, count(*) OVER () AS of
        FROM ${schema}.task WHERE asking > 0) AS t
        WHERE nth % greatest(of / ${count}, 1) = 0 LIMIT ${count}`)) as readonly { readonly name: string }[];
      return rows.map(({ name }) => name);
    },
  };
};
