import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { call, draft, later as promised, plan, writeTool } from '../scripted.ts';
import { later, shortLease, site, unrenewed } from './scene.ts';

const deadline = 1_500;

const write = (make: () => Promise<unknown>) =>
  writeTool('write', {
    doubt: 'reconcilable',
    deadline,
    lookup: async () => ({ found: 'absent' }),
    call: make,
  });

describe.skipIf(skipWithout(['postgres']) !== null)('a node that takes over a call in flight', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('makes it again with its full deadline, after it waited until the former call was over', async () => {
    const { start, factsOf } = site(cluster, shortLease);
    const begun = promised();
    const gone = promised();
    const one = start({
      model: [plan([call('write')])],
      tools: [
        write(() => {
          begun.resolve(null);
          return gone.promise;
        }),
      ],
      store: unrenewed,
    });
    const taskId = await one.submit();
    await begun.promise;
    const made = vi.fn(() => later(deadline / 2));
    const other = start({ model: [draft()], tools: [write(made)] });
    expect(await other.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(made).toHaveBeenCalledTimes(1);
    expect(await factsOf(taskId)).not.toContain('deadline.passed');
  });
});
