import { describe, it, onTestFinished } from 'vitest';
import { postgresStore } from '../../../../src/stores/postgres.ts';
import { skipWithout } from '../../../needs.ts';
import { startCluster } from '../../../postgres.ts';
import { agree } from '../agreeing.ts';

describe.skipIf(skipWithout(['postgres']) !== null)('with a server', () => {
  it('A PostgreSQL store and a memory store give the same answers and data for random operations', async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.remove());
    const store = (run: number) => postgresStore({ connectionString: cluster.url(), schema: `run_${run}` });
    await agree(
      (run) => [store(run), store(run)],
      () => {},
      25,
    );
  });
});
