import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineTaskClass, defineTaskTool, type Store, type Turn } from '../../../../../src/index.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { call, draft, plan } from '../scripted.ts';
import { later, shortLease, site, type Given } from './scene.ts';
import { eventually } from '../../../../waits.ts';

const research = defineTaskTool({
  name: 'research',
  description: 'finds out',
  tier: 'read_only',
  input: z.object({ topic: z.string() }),
  taskClass: 'research',
  request: ({ topic }) => ({ payload: { topic }, explanation: `What is known of ${topic}?` }),
});

const taskClasses = [
  defineTaskClass({ id: 'work', tools: ['research'] }),
  defineTaskClass({ id: 'research', tools: [] }),
];

/** The parent delegates; the child asks a person before it answers. */
const model = ({ taskClass, asks }: Turn) => {
  if (taskClass === 'work')
    return asks === 'plan' ? plan([call('research', { topic: 'tides' })]) : draft({ report: 'done' });
  return asks === 'plan' ? plan([], { confidence: 0.1 }) : draft({ answer: 42 });
};

const given: Given = { model, tools: [research], options: { taskClasses } };

/** A store that takes no more tasks once it is told so. */
const sated = () => {
  let isSated = false;
  return {
    stop: (): void => void (isSated = true),
    store: (inner: Store): Store => ({
      ...inner,
      take: async (...asked) => (isSated ? [] : inner.take(...asked)),
    }),
  };
};

const classesOf = ({ turns }: { readonly turns: readonly Turn[] }) =>
  turns.map(({ taskClass, asks }) => `${taskClass} ${asks}`);

describe.skipIf(skipWithout(['postgres']) !== null)('a parent and its child on different nodes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  /** A parent that the first node holds, with a child that waits for a person, which only the second node takes then. */
  const apart = async () => {
    const there = site(cluster);
    const full = sated();
    const [one, other] = [there.start({ ...given, store: full.store }), there.start(given)];
    const parent = await one.submit();
    const { taskId: child } = await one.question();
    await eventually(async () => expect(await there.holderOf(child)).toBeNull());
    full.stop();
    return { ...there, one, other, parent, child };
  };

  it('report the end of the child to the parent once', async () => {
    const { one, other, parent, child, recordsOf, verified } = await apart();
    await other.answer('approve');
    expect(await one.orchestrator.settled(parent)).toMatchObject({ outcome: 'success' });
    expect(classesOf(other)).toEqual(['research draft']);
    expect(classesOf(one)).toEqual(['work plan', 'research plan', 'work draft']);
    const records = await recordsOf(parent);
    expect(records.filter(({ fact }) => fact?.type === 'call.succeeded')).toHaveLength(1);
    expect(records.filter(({ kind }) => kind !== 'fact')).toEqual([]);
    expect(await Promise.all([parent, child].map(verified))).toEqual([true, true]);
    expect([...one.errors, ...other.errors]).toEqual([]);
  });

  it('go on when the node of the parent closes before the child ends', async () => {
    const { one, other, parent } = await apart();
    await one.orchestrator.close();
    await other.answer('approve');
    expect(await other.orchestrator.settled(parent)).toMatchObject({ outcome: 'success' });
    expect(classesOf(other).toSorted()).toEqual(['research draft', 'work draft']);
    expect(other.errors).toEqual([]);
  });

  it('keep the lease of the parent while a look for ended children has no answer', async () => {
    const lease = 2_000; // a node that stands still for a moment keeps it
    const there = site(cluster, lease);
    let isAsked = false;
    const unanswered = (inner: Store): Store => ({
      ...inner,
      taskIndex: (query) => {
        if (query?.isSettled !== true || query.parent === undefined) return inner.taskIndex(query);
        isAsked = true;
        return new Promise(() => {});
      },
    });
    const one = there.start({ ...given, store: unanswered });
    const parent = await one.submit();
    await one.question();
    await eventually(() => expect(isAsked).toBe(true));
    const holder = await there.holderOf(parent);
    const other = there.start(given);
    await other.orchestrator.recover();
    await later(2 * lease);
    expect(holder).not.toBeNull();
    expect(await there.holderOf(parent)).toBe(holder);
  });

  it('wait for the child if the answer to its first record was lost', async () => {
    const there = site(cluster, shortLease);
    let isLost = false;
    const losing = (inner: Store): Store => ({
      ...inner,
      commit: async (step) => {
        const answer = await inner.commit(step);
        if (isLost || step.record.seq > 0 || step.indexEntry.parent === null) return answer;
        isLost = true;
        throw new Error('the connection broke');
      },
    });
    const one = there.start({ ...given, store: losing });
    const parent = await one.submit();
    await one.answer('approve');
    expect(await one.orchestrator.settled(parent)).toMatchObject({ outcome: 'success' });
    expect(isLost).toBe(true);
    expect(await there.factsOf(parent)).not.toContain('call.failed');
  });

  it('report the end of the child also if the parent was lost while it was read', async () => {
    const there = site(cluster, shortLease);
    const first = there.start(given);
    const parent = await first.submit();
    const { taskId: child } = await first.question();
    await eventually(async () => expect(await there.holderOf(child)).toBeNull());
    await first.orchestrator.close();
    const researcher = there.start({ ...given, tools: [], options: { taskClasses: taskClasses.slice(1) } });
    await researcher.answer('approve');
    await researcher.orchestrator.settled(child);
    const reading = later(4 * shortLease);
    let isLost = false;
    const losing = (inner: Store): Store => ({
      ...inner,
      keep: async (holds) => {
        if (isLost || holds.length === 0) return inner.keep(holds);
        isLost = true;
        return [];
      },
      load: async (taskId) => {
        if (taskId === child) await reading;
        return inner.load(taskId);
      },
    });
    const one = there.start({ ...given, store: losing });
    void one.orchestrator.recover();
    expect(await one.orchestrator.settled(parent)).toMatchObject({ outcome: 'success' });
    expect(classesOf(one)).toEqual(['work draft']);
  });

  it('cancel the child with the parent', async () => {
    const { one, other, parent, child } = await apart();
    await other.orchestrator.cancel(parent, { by: 'dana' });
    expect(await one.orchestrator.settled(child)).toMatchObject({ state: 'cancelled' });
    expect([...one.errors, ...other.errors]).toEqual([]);
  });
});
