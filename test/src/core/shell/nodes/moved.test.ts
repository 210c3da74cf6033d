import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { eventually } from '../../../../waits.ts';
import { call, draft, plan, readTool } from '../scripted.ts';
import { site } from './scene.ts';

describe.skipIf(skipWithout(['postgres']) !== null)('a task that moves from node to node', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('tells each node every record once', async () => {
    const there = site(cluster);
    const told: string[] = [];
    const calls: (() => void)[] = [];
    let mayEnd = false;
    const look = readTool('look', {
      call: () => (mayEnd ? {} : new Promise((resolve) => calls.push(() => resolve({})))),
    });
    const nodes = ['one', 'other'].map((name) => {
      const node = there.start({ model: [plan([call('look')]), draft()], tools: [look] });
      node.orchestrator.on('record', ({ seq }) => told.push(`${name} ${seq}`));
      return node.orchestrator;
    });
    const { taskId } = await nodes[0]!.submit({
      taskClass: 'work',
      payload: {},
      identity: { agent_id: 'a', owner_id: 'o', control_class: 'human-supervised' },
    });
    const begun = (times: number): Promise<unknown> => eventually(() => expect(calls).toHaveLength(times));
    await begun(1);
    for (const times of [2, 3]) {
      await cluster.sql(
        `UPDATE ${there.schema}.task SET lapses = clock_timestamp() - interval '1 s', holder = gen_random_uuid(), fence = fence + 1`,
      );
      await begun(times);
      for (const node of nodes) await node.task(taskId);
    }
    mayEnd = true;
    for (const end of calls) end();
    await eventually(async () =>
      expect((await there.recordsOf(taskId)).at(-1)?.to).toBe('completed.settled'),
    );
    for (const node of nodes) await node.task(taskId);
    const last = (await there.recordsOf(taskId)).length - 1;
    await eventually(() => expect(told).toEqual(expect.arrayContaining([`one ${last}`])));
    expect(told.length).toBe(new Set(told).size);
  });
});
