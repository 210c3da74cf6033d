import { afterAll, beforeAll, describe } from 'vitest';
import { postgresStore } from '../../../src/stores/postgres.ts';
import { skipWithout } from '../../needs.ts';
import { startCluster, type Cluster } from '../../postgres.ts';
import { storeContract } from './contract.ts';
import { leasesTasks, shortLease } from './contract/holds.ts';
import { copiesLapsedHolds } from './contract/transfer.ts';

describe.skipIf(skipWithout(['postgres']) !== null)('with a server', () => {
  let cluster: Cluster;
  let schemas = 0;

  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  storeContract(
    'in PostgreSQL',
    () => {
      const schema = `contract_${(schemas += 1)}`;
      return {
        connect: () =>
          postgresStore({ connectionString: cluster.url(), schema, lease: shortLease, poll: 50 }),
      };
    },
    [leasesTasks, copiesLapsedHolds],
  );
});
