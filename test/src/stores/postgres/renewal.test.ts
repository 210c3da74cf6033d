import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { postgresStore, type PostgresOptions } from '../../../../src/stores/postgres.ts';
import { skipWithout } from '../../../needs.ts';
import { startCluster, type Cluster } from '../../../postgres.ts';
import { eventually } from '../../../waits.ts';
import { stepOf } from '../steps.ts';
import { newSchema, opened } from './servers.ts';

it.each<[object, string]>([
  [{ maxStall: 100 }, '/maxStall must be a number of milliseconds, 1000 to 86400000'],
  [{ leases: 'postgres://a' }, '/leases must be { connectionString }, beside a pool'],
  [{ leases: { connectionString: 'postgres://a' } }, '/leases must be { connectionString }, beside a pool'],
])('a store refuses %j', (given, says) => {
  const options = { connectionString: 'postgres://nobody@127.0.0.1:1/none', lease: 1_000, ...given };
  expect(() => postgresStore(options as PostgresOptions)).toThrow(says); // what the compiler refuses
});

describe.skipIf(skipWithout(['postgres']) !== null)('the thread of the leases', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('renews what is held now, and says nothing of a list that has changed', async () => {
    const store = opened({ connectionString: cluster.url(), schema: newSchema(), lease: 900 });
    await store.keep([]);
    expect(store.renewedAgo?.()).toBe(Infinity);
    await store.commit(stepOf(0, { fence: 1 }));
    await eventually(() => expect(store.renewedAgo?.()).not.toBe(Infinity));
    await store.commit(stepOf(0, { taskId: 'another', fence: 1 }));
    expect(store.renewedAgo?.()).toBe(Infinity);
    await eventually(() => expect(store.renewedAgo?.()).not.toBe(Infinity));
  });

  it('has the connection that is given beside a pool, and is not begun without one', async () => {
    const pool = new Pool({ connectionString: cluster.url() });
    onTestFinished(() => pool.end());
    const leases = { connectionString: cluster.url() };
    const alone = opened({ pool, schema: newSchema(), lease: 300 });
    await alone.keep([]);
    expect(alone.renewedAgo).toBeUndefined();
    const store = opened({ pool, leases, schema: newSchema(), lease: 300 });
    await store.keep([]);
    await store.commit(stepOf(0, { fence: 1 }));
    await eventually(() => expect(store.renewedAgo?.()).not.toBe(Infinity));
  });
});
