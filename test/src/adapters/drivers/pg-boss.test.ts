import PgBoss from 'pg-boss';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startPgBoss, type PgBossOptions } from '../../../../src/adapters/drivers/pg-boss.ts';
import { skipWithout } from '../../../needs.ts';
import { startCluster, type Cluster } from '../../../postgres.ts';
import { eventually } from '../../../waits.ts';
import { later, site, unrenewed, type Given } from '../../core/shell/nodes/scene.ts';
import { call, draft, plan, writeTool } from '../../core/shell/scripted.ts';

/** Writes, each with the process that made it. */
const payments = () => {
  const made: string[] = [];
  const given = (name: string): Given => ({
    model: ({ asks }) => (asks === 'plan' ? plan([call('pay')]) : draft()),
    tools: [
      writeTool('pay', {
        call: async () => {
          made.push(name);
          return { paid: true };
        },
      }),
    ],
  });
  return { made, given };
};

describe.skipIf(skipWithout(['postgres']) !== null)('tasks as jobs of pg-boss', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  /** A process: a node that takes nothing by itself, and its queue. */
  const processOf = async (there: ReturnType<typeof site>, given: Given, options: PgBossOptions = {}) => {
    const node = there.start({ ...given, options: { ...given.options, takes: false } });
    const boss = new PgBoss({ connectionString: cluster.url(), schema: `${there.schema}_boss`, max: 4 });
    boss.on('error', () => {});
    await boss.start();
    onTestFinished(() => boss.stop({ graceful: false, wait: false }));
    const errors: unknown[] = [];
    const stop = await startPgBoss(node.orchestrator, boss, {
      onError: (error) => errors.push(error),
      ...options,
    });
    onTestFinished(stop);
    return { ...node, boss, stop, errors };
  };

  it('are performed by several processes, each once', async () => {
    const there = site(cluster);
    const { made, given } = payments();
    const one = await processOf(there, given('one'), { concurrency: 2 });
    const other = await processOf(there, given('other'), { concurrency: 2 });
    const taskIds: string[] = [];
    for (let n = 0; n < 12; n += 1) taskIds.push(await one.submit());
    for (const taskId of taskIds) expect((await one.orchestrator.settled(taskId)).outcome).toBe('success');
    expect(made).toHaveLength(12);
    expect(new Set(made)).toEqual(new Set(['one', 'other']));
    expect([...one.errors, ...other.errors]).toEqual([]);
  });

  it('wait for a person without a job, and go on after the answer', async () => {
    const there = site(cluster);
    const { boss, submit, question, answer, orchestrator } = await processOf(there, {
      model: [plan([], { confidence: 0.1 }), draft()],
    });
    const taskId = await submit();
    await question();
    await eventually(async () => expect(await boss.getQueueSize('agentcharter')).toBe(0));
    await answer('approve');
    expect((await orchestrator.settled(taskId)).outcome).toBe('success');
  });

  it('that are delivered twice are performed once', async () => {
    const there = site(cluster);
    const { made, given } = payments();
    const one = await processOf(there, given('one'));
    const other = await processOf(there, given('other'));
    const taskId = await one.submit();
    for (let n = 0; n < 5; n += 1) await other.boss.send('agentcharter', { taskId });
    expect((await one.orchestrator.settled(taskId)).outcome).toBe('success');
    await eventually(async () => expect(await one.boss.getQueueSize('agentcharter')).toBe(0));
    expect(made).toHaveLength(1);
    expect(await there.verified(taskId)).toBe(true);
  });

  it('of a process that is gone are performed by another after the lease', async () => {
    const there = site(cluster, 1_500);
    const { made, given } = payments();
    let hung = 0;
    const gone = await processOf(there, {
      ...given('gone'),
      model: () => {
        hung += 1;
        return new Promise(() => {});
      },
      store: unrenewed,
    });
    const taskId = await gone.submit();
    await eventually(() => expect(hung).toBe(1));
    await gone.boss.offWork('agentcharter');
    const next = await processOf(there, given('next'));
    expect((await next.orchestrator.settled(taskId)).outcome).toBe('success');
    expect(made).toEqual(['next']);
  });

  it('need a queue that was started, and options that make sense', async () => {
    const there = site(cluster);
    const { orchestrator } = there.start();
    const boss = new PgBoss(cluster.url());
    await expect(startPgBoss(orchestrator, {} as never)).rejects.toMatchObject({
      code: 'definition_invalid',
      message: expect.stringContaining('expected a `PgBoss` of pg-boss 10 or later'),
    });
    await expect(startPgBoss({} as never, boss)).rejects.toThrow('orchestrator.perform must be a function');
    for (const options of [
      { concurrency: -1 },
      { queue: '' },
      { every: 1 },
      { often: 1 } as never,
      null as never,
    ])
      await expect(startPgBoss(orchestrator, boss, options)).rejects.toMatchObject({
        code: 'definition_invalid',
      });
  });

  it('get no new job at each look where no process can perform them, and are left alone where processes ended', async () => {
    const there = site(cluster);
    const guest = there.start({ options: { takes: false } });
    const sent: string[] = [];
    const queue = {
      getQueue: async () => ({}),
      createQueue: async () => {},
      send: async (_: string, data: object) => void sent.push(JSON.stringify(data)),
      work: async () => '',
      offWork: async () => {},
    };
    const [waits, left] = [await guest.submit(), await guest.submit()];
    await cluster.sql(`UPDATE ${there.schema}.task SET attempts = 3 WHERE task_id = '${left}'`);
    const stop = await startPgBoss(guest.orchestrator, queue, { concurrency: 0 });
    onTestFinished(stop);
    await expect(startPgBoss(guest.orchestrator, queue)).rejects.toThrow('is performed by this boss already');
    await later(4_200);
    expect(sent.join()).not.toContain(left);
    await guest.orchestrator.retry(left);
    await eventually(() => expect(sent.join()).toContain(left));
    await stop();
    const own = sent.map((data) => (JSON.parse(data) as { readonly taskId: string }).taskId);
    const again = own.filter((taskId) => taskId === waits);
    expect(again.length).toBeGreaterThan(1); // a lost job is made again
    expect(again.length).toBeLessThan(6);
  });

  it('go on elsewhere when a process ends its work', async () => {
    const there = site(cluster);
    const { made, given } = payments();
    const first = await processOf(there, given('first'));
    await first.stop();
    const taskId = await first.submit();
    const next = await processOf(there, given('next'));
    expect((await next.orchestrator.settled(taskId)).outcome).toBe('success');
    expect(made).toEqual(['next']);
  });
});
