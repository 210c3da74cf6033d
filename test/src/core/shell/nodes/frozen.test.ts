import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CallContext, Store } from '../../../../../src/index.ts';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { call, draft, later as promised, plan, writeTool } from '../scripted.ts';
import { later, shortLease, site } from './scene.ts';
import { eventually } from '../../../../waits.ts';

const model = [plan([call('write', { of: 1 })]), draft()];

/** A store whose process freezes: from then on nothing reaches the server, until it thaws. */
const freezer = () => {
  let thawed: Promise<void> = Promise.resolve();
  let thaw: (() => void) | null = null;
  const wait =
    <Given extends readonly unknown[], Answer>(ask: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      await thawed;
      return ask(...given);
    };
  return {
    store: (inner: Store): Store => ({
      ...inner,
      take: wait(inner.take),
      keep: wait(inner.keep),
      letGo: wait(inner.letGo),
      commit: wait(inner.commit),
      load: wait(inner.load),
      taskIndex: wait(inner.taskIndex),
    }),
    freeze: (): void => {
      thawed = new Promise((resolve) => (thaw = resolve));
    },
    thaw: (): void => thaw?.(),
  };
};

/** A write that freezes its node between intent and effect. */
const frozenWrite = async (cluster: Cluster, given: Parameters<typeof writeTool>[1]) => {
  const there = site(cluster, shortLease);
  const frozen = freezer();
  const waking = promised();
  const contexts: CallContext[] = [];
  const effects: (number | null)[] = [];
  const write = (isFirst: boolean) =>
    writeTool('write', {
      ...given,
      call: async (_, context) => {
        contexts.push(context);
        if (isFirst) {
          frozen.freeze();
          await waking.promise;
        }
        if (!context.mayAct()) throw new Error('another node holds the task');
        effects.push(context.fence);
        return { written: true };
      },
    });
  const one = there.start({ model, tools: [write(true)], store: frozen.store });
  const taskId = await one.submit();
  await eventually(() => expect(contexts).toHaveLength(1));
  const other = there.start({ model: [draft()], tools: [write(false)] });
  await other.orchestrator.recover();
  return { ...there, frozen, waking, contexts, effects, one, other, taskId };
};

describe.skipIf(skipWithout(['postgres']) !== null)('a node that freezes', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('says nothing of closing when a call ends whose task was taken over', async () => {
    const { start } = site(cluster, shortLease);
    const frozen = freezer();
    const waking = promised();
    const calling = vi.fn();
    const call = async () => {
      calling();
      if (calling.mock.calls.length > 1) return {};
      frozen.freeze();
      return waking.promise;
    };
    const tools = [writeTool('write', { doubt: 'idempotent', call })];
    const one = start({ model, tools, store: frozen.store });
    const taskId = await one.submit();
    await eventually(() => expect(calling).toHaveBeenCalled());
    const other = start({ model: [draft()], tools });
    await other.orchestrator.recover();
    expect(await other.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    frozen.thaw();
    await later(2 * shortLease); // it looks for what it lost
    waking.resolve(null);
    await later(shortLease);
    expect(one.errors).not.toContainEqual(expect.objectContaining({ code: 'closed' }));
  });

  it('loses its task after its lease, and what it records when it wakes is refused', async () => {
    const { start, factsOf, verified } = site(cluster, shortLease);
    const frozen = freezer();
    const thinking = promised();
    const one = start({ model: [() => thinking.promise], store: frozen.store });
    const taskId = await one.submit();
    await eventually(() => expect(one.turns).toHaveLength(1));
    const other = start({ model: [plan(), draft()] });
    await other.orchestrator.recover();
    frozen.freeze();
    thinking.resolve(plan([call('write')]));
    expect(await other.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    const before = await factsOf(taskId);
    frozen.thaw();
    await eventually(() => expect(one.lost).toEqual([taskId]));
    expect(one.errors).toEqual([]); // what is normal among several processes is no error
    expect(await factsOf(taskId)).toEqual(before);
    expect(await one.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(await verified(taskId)).toBe(true);
  });

  describe('with a write in flight', () => {
    it('repeats an idempotent one with a larger fence, and the former node may not act', async () => {
      const { frozen, waking, contexts, effects, other, one, taskId } = await frozenWrite(cluster, {
        doubt: 'idempotent',
      });
      expect(await other.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
      expect(contexts.map(({ fence }) => fence)).toEqual([1, 2]);
      expect(contexts.map((context) => context.mayAct())).toEqual([false, false]);
      frozen.thaw();
      waking.resolve(null);
      await eventually(() => expect(one.lost).toEqual([taskId]));
      await later(shortLease); // its tool has thrown by then
      expect(effects).toEqual([2]);
    });

    it('looks up a reconcilable one only when it can no longer happen', async () => {
      const lookedUp: number[] = [];
      const begun = performance.now();
      const { other, taskId, effects, factsOf } = await frozenWrite(cluster, {
        doubt: 'reconcilable',
        deadline: 3_000,
        lookup: async () => {
          lookedUp.push(performance.now() - begun);
          return { found: 'absent' };
        },
      });
      expect(await other.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
      expect(lookedUp).toHaveLength(1);
      expect(lookedUp[0]).toBeGreaterThan(3_000);
      expect(effects).toEqual([2]);
      expect((await factsOf(taskId)).filter((fact) => fact === 'call.started')).toHaveLength(1);
    });

    it('asks a person about an unsafe one only when it can no longer happen', async () => {
      const begun = performance.now();
      const { other, effects } = await frozenWrite(cluster, { doubt: 'unsafe', deadline: 2_500 });
      const { question } = await other.question();
      expect(question.kind).toBe('doubt');
      expect(performance.now() - begun).toBeGreaterThan(2_500);
      expect(effects).toEqual([]);
    });
  });
});
