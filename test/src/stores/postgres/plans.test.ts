import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from 'pg';
import type { Statement } from '../../../../src/stores/postgres/driver.ts';
import { takeStatement } from '../../../../src/stores/postgres/holds.ts';
import { changedStatement } from '../../../../src/stores/postgres/watch.ts';
import type { OnlyTask } from '../../../../src/base/ports/store.ts';
import { skipWithout } from '../../../needs.ts';
import { startCluster, type Cluster } from '../../../postgres.ts';
import { deadlineOf, stepOf } from '../steps.ts';
import { newSchema, opened } from './servers.ts';

const able = { charts: ['1'], taskClasses: ['class'], tools: ['read'], agents: [] };
const writer = { node: '00000000-0000-0000-0000-000000000001', lease: 1_000 };

describe.skipIf(skipWithout(['postgres']) !== null)('with a server', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  const takes = (only?: OnlyTask) => (schema: string) => takeStatement(schema, able, 8, only, writer);
  const node = writer.node;

  it.each<[string, (schema: string) => Statement]>([
    ['any task', takes()],
    ['one task', takes({ taskId: 'task', mayRest: false })],
    ['one task that may rest', takes({ taskId: 'task', mayRest: true })],
    ['changes', (schema) => changedStatement(schema, '9000:9000:', node)],
    ['changes of open transactions', (schema) => changedStatement(schema, '800:9000:800,801', node)],
  ])('a look for %s reads no task that waits, whatever the statistics say', async (_, statement) => {
    const schema = newSchema();
    const waiting = {
      deadlines: [deadlineOf('q-1', Date.now() + 1e9)],
      indexEntry: { isOwed: false, asking: 1 },
    };
    await opened({ connectionString: cluster.url(), schema }).commit(stepOf(0, waiting));
    await cluster.sql(`INSERT INTO ${schema}.task SELECT new.* FROM ${schema}.task AS t, generate_series(2, 3000) AS n,
      jsonb_populate_record(t, jsonb_build_object('id', n, 'task_id', '\\x' || md5(n::text))) AS new`);

    const client = new Client({ connectionString: cluster.url() });
    await client.connect();
    const { text, values = [] } = statement(schema);
    const plan = async (): Promise<string> => {
      const { rows } = await client.query(`EXPLAIN ${text}`, [...values]);
      return (rows as readonly { readonly 'QUERY PLAN': string }[])
        .map((row) => row['QUERY PLAN'])
        .join('\n');
    };
    const plans = [await plan()];
    await client.query(`ANALYZE ${schema}.task`);
    plans.push(await plan());
    await client.end();
    for (const one of plans) expect(one).not.toContain('Seq Scan on task');
  });
});
