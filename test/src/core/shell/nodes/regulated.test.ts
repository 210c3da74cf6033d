import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { eventually } from '../../../../waits.ts';
import { call, draft, later, plan, readTool, writeTool } from '../scripted.ts';
import { site } from './scene.ts';

const script =
  (tool: string) =>
  ({ asks }: { readonly asks: string }) =>
    asks === 'plan' ? plan([call(tool, { amount: 30 })]) : draft();

describe.skipIf(skipWithout(['postgres']) !== null)('pauses and quotas over several nodes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('begin no call anywhere from when `pause` resolves, and go on after `resume`', async () => {
    const { start } = site(cluster);
    const made: string[] = [];
    const tools = [writeTool('send', { call: (_, { key }) => ({ count: made.push(key) }) })];
    const nodes = [0, 1, 2].map(() => start({ model: script('send'), tools }));
    const submitted = Promise.all(
      Array.from({ length: 30 }, (_, index) => nodes[index % nodes.length]!.submit()),
    );
    await eventually(() => expect(made.length).toBeGreaterThan(2));
    const [first, second, third] = nodes.map(({ orchestrator }) => orchestrator);
    await first!.pause({ tool: 'send' }, { by: 'dana', reason: 'a bug' });
    const begun = async (): Promise<number> => {
      const ledgers = await Promise.all((await third!.list()).map(({ taskId }) => third!.ledger(taskId)));
      return ledgers.flat().filter(({ fact }) => fact?.type === 'call.started').length;
    };
    const atFirst = await begun();
    const tasks = await submitted;
    await eventually(async () => {
      const { owed, tasks: all, settled } = await second!.stats();
      expect([all, all - settled]).toEqual([30, owed.tasks]);
    });
    expect(await begun()).toBe(atFirst);
    await third!.resume({ tool: 'send' }, { by: 'erin' });
    for (const taskId of tasks) expect((await first!.settled(taskId)).outcome).toBe('success');
    expect(new Set(made).size).toBe(made.length);
    expect(await begun()).toBe(30);
    expect(await second!.pauses()).toEqual([]);
  });

  it('leave tasks of a paused class to themselves, and say so', async () => {
    const { start } = site(cluster);
    const guest = start({ model: [plan(), draft()], options: { takes: false } });
    await guest.orchestrator.pause({ taskClass: 'work' }, { by: 'dana', reason: 'maintenance' });
    const taskId = await guest.submit();
    const node = start({ model: [plan(), draft()] });
    expect((await node.orchestrator.recover()).taken).toBe(0);
    const [stuck] = await node.orchestrator.stuck({ after: 0 });
    expect(stuck).toMatchObject({
      taskId,
      reason: 'paused',
      message: expect.stringMatching(/^task class work is paused by dana since .*: maintenance$/),
    });
    await node.orchestrator.resume({ taskClass: 'work' }, { by: 'dana' });
    expect((await node.orchestrator.settled(taskId)).outcome).toBe('success');
  });

  it('let no more calls of a tool be in flight than its quota, on all nodes together', async () => {
    const { start } = site(cluster);
    let [inFlight, most] = [0, 0];
    const first = later();
    const tools = [
      readTool('look', {
        call: async () => {
          inFlight += 1;
          most = Math.max(most, inFlight);
          await first.promise;
          await new Promise((resolve) => void setTimeout(resolve, 20));
          inFlight -= 1;
          return {};
        },
      }),
    ];
    const options = { quotas: [{ calls: 3, tool: 'look' }] };
    const nodes = [0, 1, 2].map(() => start({ model: script('look'), tools, options }));
    const tasks = await Promise.all(
      Array.from({ length: 12 }, (_, index) => nodes[index % nodes.length]!.submit()),
    );
    await eventually(() => expect(inFlight).toBe(3));
    first.resolve({});
    for (const taskId of tasks)
      expect((await nodes[0]!.orchestrator.settled(taskId)).outcome).toBe('success');
    expect(most).toBe(3);
  });

  it('spend no more than the sum of a day, on all nodes together', async () => {
    const { start } = site(cluster);
    const paid: number[] = [];
    const tools = [
      writeTool('pay', {
        amounts: { cents: ({ amount }) => Number(amount) },
        call: ({ amount }) => {
          paid.push(Number(amount));
          return {};
        },
      }),
    ];
    const options = { quotas: [{ amount: 'cents', most: 100, per: 'month' as const, owner: '*' }] };
    const nodes = [0, 1, 2].map(() => start({ model: script('pay'), tools, options }));
    const tasks = await Promise.all(
      Array.from({ length: 9 }, (_, index) => nodes[index % nodes.length]!.submit()),
    );
    for (const taskId of tasks) await nodes[0]!.orchestrator.settled(taskId);
    expect(paid).toEqual([30, 30, 30]);
  });
});
