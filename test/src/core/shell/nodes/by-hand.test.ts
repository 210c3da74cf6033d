import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rollbackOf } from '../../../../../src/base/define/rollback.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { eventually } from '../../../../waits.ts';
import { call, draft, plan, writeTool } from '../scripted.ts';
import { shortLease, site, type Given } from './scene.ts';

const pay = { ...writeTool('pay'), rollback: rollbackOf('pay', 'person') };

const given: Given = {
  model: ({ asks }) => (asks === 'plan' ? plan([call('pay')]) : draft()),
  tools: [pay],
  taskClass: { limits: { repairs: 0 }, beforeDeliver: { evidence: [{ type: 'custom' }] } },
};

describe.skipIf(skipWithout(['postgres']) !== null)('a write that a person undoes, on several nodes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('is undone once, also if the node that asked is gone and another took the answer', async () => {
    const { start, factsOf, recordsOf, verified } = site(cluster, shortLease);
    const one = start(given);
    const taskId = await one.submit();
    const { message } = await one.question();
    const other = start(given);
    await one.orchestrator.close();
    expect((await other.question()).message.messageId).toBe(message.messageId);
    await other.answer('approve');
    expect(await other.orchestrator.settled(taskId)).toMatchObject({ state: 'failed' });
    expect((await factsOf(taskId)).filter((type) => type.startsWith('rollback'))).toEqual([
      'rollback.started',
      'rollback.succeeded',
    ]);
    expect((await recordsOf(taskId)).filter(({ kind }) => kind === 'orphan')).toEqual([]);
    expect(await verified(taskId)).toBe(true);
    expect([...one.errors, ...other.errors]).toEqual([]);
  });

  it('keeps no place of its node from other tasks while it waits', async () => {
    const { start, factsOf } = site(cluster);
    const node = start({ ...given, options: { concurrency: 1 } });
    const tasks: string[] = [];
    for (let count = 1; count <= 6; count += 1) {
      tasks.push(await node.submit());
      await eventually(async () => expect(await node.orchestrator.inbox()).toHaveLength(count));
    }
    const types = await Promise.all(tasks.map(factsOf));
    expect(types.every((facts) => facts.includes('rollback.started'))).toBe(true);
    expect(node.errors).toEqual([]);
  });
});
