import { afterAll, beforeAll, describe } from 'vitest';
import { postgresStore, type PostgresOptions } from '../../../src/stores/postgres.ts';
import { skipWithout } from '../../needs.ts';
import { startCluster, type Cluster } from '../../postgres.ts';
import { both } from './codec/places.ts';
import { storeContract } from './contract.ts';
import type { LeasedDatabase } from './contract/database.ts';
import { leasesTasks } from './contract/holds.ts';
import { copiesLapsedHolds } from './contract/transfer.ts';
import { tellsOfHolds } from './contract/workload.ts';

describe.skipIf(skipWithout(['postgres']) !== null)('with a server', () => {
  let cluster: Cluster;
  let schemas = 0;

  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  const openWith = (options: Pick<PostgresOptions, 'codec'>) => (): LeasedDatabase => {
    const schema = `contract_${(schemas += 1)}`;
    return {
      connect: () =>
        postgresStore({ connectionString: cluster.url(), schema, lease: 60_000, poll: 50, ...options }),
      lapse: async (ago = 0) => {
        const then = `clock_timestamp() - interval '${Math.max(ago, 100)} ms'`;
        await cluster.sql(`UPDATE ${schema}.task SET lapses = ${then} WHERE holder IS NOT NULL`);
      },
    };
  };
  for (const [name, open] of [
    ['in PostgreSQL', openWith({})],
    ['in PostgreSQL, with a codec', openWith({ codec: both })],
  ] as const)
    storeContract(name, open, [
      () => leasesTasks(open),
      () => copiesLapsedHolds(open),
      () => tellsOfHolds(open),
    ]);
});
