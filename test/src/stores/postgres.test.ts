import { afterAll, beforeAll, describe } from 'vitest';
import { postgresStore } from '../../../src/stores/postgres.ts';
import { skipWithout } from '../../needs.ts';
import { startCluster, type Cluster } from '../../postgres.ts';
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

  const open = (): LeasedDatabase => {
    const schema = `contract_${(schemas += 1)}`;
    return {
      connect: () => postgresStore({ connectionString: cluster.url(), schema, lease: 60_000, poll: 50 }),
      lapse: async (ago = 0) => {
        const then = `clock_timestamp() - interval '${Math.max(ago, 100)} ms'`;
        await cluster.sql(`UPDATE ${schema}.task SET lapses = ${then} WHERE holder IS NOT NULL`);
      },
    };
  };
  storeContract('in PostgreSQL', open, [
    () => leasesTasks(open),
    () => copiesLapsedHolds(open),
    () => tellsOfHolds(open),
  ]);
});
