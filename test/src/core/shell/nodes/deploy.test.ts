import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { eventually } from '../../../../waits.ts';
import { call, draft, later as held, plan, writeTool } from '../scripted.ts';
import { later, site } from './scene.ts';

const answers = ({ asks }: { readonly asks: string }) => (asks === 'plan' ? plan([call('write')]) : draft());

describe.skipIf(skipWithout(['postgres']) !== null)('a deploy of nodes one by one', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('asks no person, loses no call and makes none twice', async () => {
    const { start, factsOf, verified } = site(cluster);
    const made: string[] = [];
    const tool = writeTool('write', {
      doubt: 'unsafe',
      call: async (_, { key, signal }) => {
        await later(120);
        signal.throwIfAborted();
        made.push(key);
      },
    });
    const node = () => start({ model: answers, tools: [tool], options: { concurrency: 2 } });
    const nodes = [node(), node(), node()];
    const ids: string[] = [];
    for (const [at, old] of [...nodes].entries()) {
      ids.push(...(await Promise.all(Array.from({ length: 8 }, () => old.submit()))));
      await eventually(() => expect(made.length).toBeGreaterThan(at));
      const next = node();
      await next.orchestrator.recover();
      nodes.push(next);
      await old.orchestrator.close({ drain: 30_000 });
    }
    const { orchestrator } = nodes[3]!;
    for (const id of ids) expect(await orchestrator.settled(id)).toMatchObject({ outcome: 'success' });
    for (const id of ids) {
      const facts = await factsOf(id);
      expect(facts.filter((fact) => fact === 'call.started')).toHaveLength(1);
      expect(facts).not.toContain('call.doubted');
      expect(await verified(id)).toBe(true);
    }
    expect(made).toHaveLength(ids.length);
    expect(nodes.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('hands over at once what waits for a slot, while a call is still under way', async () => {
    const { start, holderOf } = site(cluster);
    const begun = held();
    const ends = held();
    const tool = writeTool('write', {
      doubt: 'unsafe',
      call: async () => {
        begun.resolve(null);
        await ends.promise;
      },
    });
    const old = start({ model: answers, tools: [tool], options: { concurrency: 1 } });
    const first = await old.submit();
    await begun.promise;
    const waiting = await old.submit();
    expect(await holderOf(waiting)).toBe(await holderOf(first));
    const closed = old.orchestrator.close({ drain: 30_000 });
    const next = start({ model: answers, tools: [writeTool('write')] });
    expect(await next.orchestrator.settled(waiting)).toMatchObject({ outcome: 'success' });
    ends.resolve(null);
    await closed;
    expect(await next.orchestrator.settled(first)).toMatchObject({ outcome: 'success' });
    expect([...old.errors, ...next.errors]).toEqual([]);
  });
});
