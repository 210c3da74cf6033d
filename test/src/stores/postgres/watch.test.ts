import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { changedStatement } from '../../../../src/stores/postgres/watch.ts';
import { skipWithout, whereIs } from '../../../needs.ts';
import { startCluster, type Cluster } from '../../../postgres.ts';
import { eventually } from '../../../waits.ts';
import { stepOf } from '../steps.ts';
import { newSchema, opened } from './servers.ts';

const tasks = 40;

/** Watches a schema, and counts the rows that it is sent. */
const watched = async (connectionString: string, schema: string) => {
  const pool = new Pool({ connectionString });
  onTestFinished(() => pool.end());
  const rows: number[] = [];
  const query = pool.query.bind(pool);
  const counted = async (statement: { text: string; values?: unknown[] }) => {
    const result = await query(statement);
    rows.push(result.rows.length);
    return result;
  };
  const store = opened({ pool: Object.assign(pool, { query: counted }), schema, poll: 10 });
  const found: string[] = [];
  store.watch((taskIds) => found.push(...taskIds));
  await store.counts();
  /** Returns the most rows of the next ten looks. */
  const most = async (): Promise<number> => {
    rows.length = 0;
    await eventually(() => expect(rows.length).toBeGreaterThan(10));
    return Math.max(...rows);
  };
  return { found, most };
};

describe.skipIf(skipWithout(['postgres']) !== null)('a look for changes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  const filled = async (schema: string): Promise<void> => {
    const store = opened({ connectionString: cluster.url(), schema });
    for (let n = 0; n < tasks; n += 1) await store.commit(stepOf(0, { taskId: `task ${n}` }));
  };

  it('finds each change once, also while a transaction stays open somewhere', async () => {
    const schema = newSchema();
    await filled(schema);
    const { found, most } = await watched(cluster.url(), schema);
    const elsewhere = new Client({ connectionString: cluster.url('postgres', 'template1') });
    await elsewhere.connect();
    onTestFinished(() => elsewhere.end());
    await elsewhere.query('BEGIN');
    await elsewhere.query('SELECT pg_current_xact_id()');
    await cluster.sql(`UPDATE ${schema}.task SET changed = pg_current_xact_id(), writer = gen_random_uuid()`);
    await eventually(() => expect(found).toHaveLength(tasks));
    expect(await most()).toBe(1); // the answer that nothing has changed
    await elsewhere.query('COMMIT');
    expect(await most()).toBe(1);
    expect(found).toHaveLength(tasks);
  });

  it('reads no old task on a server to which a dump was restored', async () => {
    const schema = newSchema();
    await cluster.sql(
      'DO $$ BEGIN FOR i IN 1..2000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$',
    );
    await filled(schema);
    const fresh = await startCluster();
    onTestFinished(() => fresh.remove());
    const bin = whereIs('postgres') ?? '';
    const dump = execFileSync(join(bin, 'pg_dump'), ['--schema', schema, cluster.url()]);
    execFileSync(join(bin, 'psql'), ['-q', '-v', 'ON_ERROR_STOP=1', fresh.url()], { input: dump });
    const [ahead] = await fresh.sql(`SELECT min(changed) > pg_current_xact_id() AS "is" FROM ${schema}.task`);
    expect(ahead).toEqual({ is: true });

    const { found, most } = await watched(fresh.url(), schema);
    expect(await most()).toBe(1);
    await opened({ connectionString: fresh.url(), schema }).commit(stepOf(1, { taskId: 'task 7' }));
    await eventually(() => expect(found).toEqual(['task 7']));
    expect(await most()).toBe(1);
  });

  it('reads no task over and over whose number is that of a transaction that is open on another server', async () => {
    const schema = newSchema();
    await filled(schema);
    const { found, most } = await watched(cluster.url(), schema);
    const open = new Client({ connectionString: cluster.url() });
    await open.connect();
    onTestFinished(() => open.end());
    await open.query('BEGIN');
    const { rows } = await open.query<{ id: string }>('SELECT pg_current_xact_id()::text AS id');
    const ofCopy = `changed = '${rows[0]?.id}', writer = gen_random_uuid()`;
    await cluster.sql(`UPDATE ${schema}.task SET ${ofCopy} WHERE id = 1`);
    await eventually(async () => expect(await most()).toBe(1));
    expect(found.length).toBeLessThan(3); // as a change of its own, and once when that transaction ends
  });

  it('finds what changed on another server before it looked there', async () => {
    const schema = newSchema();
    await filled(schema);
    await cluster.sql(`UPDATE ${schema}.task SET changed = '900000' WHERE id > 1`); // a copy
    const client = new Client({ connectionString: cluster.url() });
    await client.connect();
    onTestFinished(() => client.end());
    const { text, values = [] } = changedStatement(schema, '900001:900001:', randomUUID());
    const { rows } = await client.query(text, [...values]);
    expect(rows.map((row: { task_id: Buffer | null }) => String(row.task_id))).toEqual(['task 0']);
  });
});
