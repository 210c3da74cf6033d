import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../../../src/index.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { eventually } from '../../../../waits.ts';
import { call, draft, later as held, plan, readTool } from '../scripted.ts';
import { shortLease, site } from './scene.ts';

/** Keeps the event loop busy, as a tokenizer or a parser does. */
const compute = (milliseconds: number): void => {
  const ends = performance.now() + milliseconds;
  while (performance.now() < ends);
};

const answers = ({ asks }: { readonly asks: string }) => (asks === 'plan' ? plan([call('read')]) : draft());

describe.skipIf(skipWithout(['postgres']) !== null)('a node under load', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('leaves a burst that it has no room for to others, and takes its share', async () => {
    const { start, factsOf } = site(cluster);
    const made: string[] = [];
    const node = (name: string) =>
      start({
        model: answers,
        tools: [readTool('read', { call: async () => void made.push(name) })],
        options: { concurrency: 2 },
      });
    const [busy, idle] = [node('busy'), node('idle')];
    await Promise.all([busy, idle].map(({ orchestrator }) => orchestrator.recover()));
    const ids = await Promise.all(Array.from({ length: 24 }, () => busy.submit()));
    for (const id of ids) expect(await busy.orchestrator.settled(id)).toMatchObject({ outcome: 'success' });
    expect(made).toHaveLength(ids.length);
    expect(new Set(made)).toEqual(new Set(['busy', 'idle']));
    for (const id of ids)
      expect((await factsOf(id)).filter((fact) => fact === 'call.started')).toHaveLength(1);
    expect([...busy.errors, ...idle.errors]).toEqual([]);
  });

  it('renews its leases between two calls that compute', async () => {
    const { start } = site(cluster, shortLease);
    const seen: string[] = [];
    const { submit, orchestrator, errors } = start({
      model: (turn: { readonly asks: string }) => {
        seen.push('turn');
        compute(shortLease / 5);
        return answers(turn);
      },
      tools: [readTool('read')],
      store: (inner): Store => ({
        ...inner,
        keep: (holds) => {
          seen.push('keep');
          return inner.keep(holds);
        },
      }),
    });
    const ids = await Promise.all(Array.from({ length: 8 }, submit));
    for (const id of ids) await orchestrator.settled(id);
    const rows = seen.join(' ').split('keep');
    const longest = Math.max(...rows.map((row) => row.split('turn').length - 1));
    expect(longest).toBeLessThan(5); // of 16
    expect(errors).toEqual([]);
  });

  it('holds fewer tasks after it renewed them late or lost one, and more again in time', async () => {
    const { start, schema } = site(cluster, shortLease);
    const limits: number[] = [];
    let isSlow = false;
    const thinking = held();
    const { submit, turns } = start({
      model: [() => thinking.promise],
      store: (inner): Store => ({
        ...inner,
        keep: (holds) => {
          if (isSlow) compute(shortLease * 0.7);
          return inner.keep(holds);
        },
        take: (able, limit, only) => {
          limits.push(limit);
          return inner.take(able, limit, only);
        },
      }),
    });
    const taskId = await submit();
    await eventually(() => expect(limits.at(-1)).toBe(31)); // four times the slots, less the one that it holds
    isSlow = true;
    await eventually(() => expect(limits.at(-1)).toBeLessThan(8));
    isSlow = false;
    await eventually(() => expect(limits.at(-1)).toBeGreaterThan(20));
    await eventually(() => expect(turns).toHaveLength(1));
    await cluster.sql(
      `UPDATE ${schema}.task SET fence = fence + 1, holder = gen_random_uuid(), lapses = now() + interval '1 h' WHERE task_id = '${taskId}'`,
    );
    await eventually(() => expect(limits.at(-1)).toBeLessThan(20));
    thinking.resolve(draft());
  });
});
