import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/base/ports/store.ts';
import { consumedApprovals, saying, stepOf, type Given } from '../steps.ts';
import { connected, taskIds, type Open } from './database.ts';

const settled = { isSettled: true, isOwed: false } as const;

/** Settled tasks of threads of their own, but for what is given of the first. */
const settle = async (store: Store, names: readonly string[], first: Given = {}): Promise<void> => {
  for (const [index, taskId] of names.entries()) {
    const { indexEntry, ...rest } = index === 0 ? first : {};
    await store.commit(
      stepOf(0, { taskId, ...rest, indexEntry: { threadId: `of ${taskId}`, ...settled, ...indexEntry } }),
    );
  }
};

/** Tests that settled tasks can be removed for good. */
export const prunesTasks = (open: Open): void => {
  describe('that prunes', () => {
    it('removes tasks, and knows what is left of them', async () => {
      const store = connected(open());
      await settle(store, ['a', 'b', 'last']);
      const [{ head, at } = { head: '', at: 0 }] = await store.taskIndex({ taskId: 'a' });
      const given = [
        { taskId: 'a', size: 1 },
        { taskId: 'b', size: 1 },
      ];
      expect(await store.prune(given, 9)).toBe(true);
      expect(await taskIds(store)).toEqual(['last']);
      expect(await store.load('a')).toBeUndefined();
      expect(await store.counts()).toEqual({ tasks: 1, settled: 1, asking: 0, questions: 0 });
      const pruned = { taskId: 'a', threadId: 'of a', size: 1, head, at, prunedAt: 9 };
      expect(await store.pruned({ taskId: 'a' })).toEqual(pruned);
      expect(await store.pruned({ threadId: 'of a' })).toEqual(pruned);
      expect(await store.pruned({ taskId: 'last' })).toBeUndefined();
      expect(await store.prune(given, 10)).toBe(false);
    });

    it('keeps keys, messages and approvals taken', async () => {
      const store = connected(open());
      await settle(store, ['a', 'last'], {
        key: 'k',
        emissions: [saying('m')],
        ...consumedApprovals('jti', 'pay'),
      });
      expect(await store.prune([{ taskId: 'a', size: 1 }], 9)).toBe(true);
      await store.commit(stepOf(0, { taskId: 'b' }));
      expect(await store.commit(stepOf(1, { taskId: 'b', key: 'k' }))).toBe('duplicate');
      expect(await store.commit(stepOf(1, { taskId: 'b', ...consumedApprovals('jti', 'other') }))).toBe(
        'spent',
      );
      expect(await store.find({ key: 'k' })).toEqual({ taskId: 'a', seq: 0 });
      expect(await store.find({ message: 'm' })).toEqual({ taskId: 'a', seq: 0 });
    });

    it('removes none of them if one is open, has changed, or is unknown', async () => {
      const store = connected(open());
      await settle(store, ['a', 'b', 'last']);
      await store.commit(stepOf(0, { taskId: 'open' }));
      await store.commit(stepOf(0, { taskId: 'end', indexEntry: { threadId: 'of end', ...settled } }));
      for (const other of [
        { taskId: 'open', size: 1 },
        { taskId: 'b', size: 2 },
        { taskId: 'nobody', size: 1 },
      ])
        expect(await store.prune([{ taskId: 'a', size: 1 }, other], 9)).toBe(false);
      expect(await taskIds(store)).toEqual(['a', 'b', 'last', 'open', 'end']);
    });

    it.each([
      ['of its thread', { threadId: 'of a' }],
      ['that is a call of it', { parent: 'a' }],
    ])('keeps a task with another one %s', async (_, indexEntry) => {
      const store = connected(open());
      await settle(store, ['a']);
      await store.commit(stepOf(0, { taskId: 'other', indexEntry: { ...settled, ...indexEntry } }));
      await settle(store, ['last']);
      expect(await store.prune([{ taskId: 'a', size: 1 }], 9)).toBe(false);
      const both = ['a', 'other'].map((taskId) => ({ taskId, size: 1 }));
      expect(await store.prune(both, 9)).toBe(true);
    });

    it('keeps a call whose parent stays', async () => {
      const store = connected(open());
      await store.commit(stepOf(0, { taskId: 'parent', indexEntry: settled }));
      await settle(store, ['a', 'last'], { indexEntry: { parent: 'parent' } });
      expect(await store.prune([{ taskId: 'a', size: 1 }], 9)).toBe(false);
    });

    it('begins other tasks afterwards', async () => {
      const store = connected(open());
      await settle(store, ['a', 'b', 'c', 'last']);
      expect(await store.prune([{ taskId: 'b', size: 1 }], 9)).toBe(true);
      await store.commit(stepOf(0, { taskId: 'new' }));
      await store.commit(stepOf(1, { taskId: 'new', key: 'k' }));
      expect(await taskIds(store)).toEqual(['a', 'c', 'last', 'new']);
      expect(await store.find({ key: 'k' })).toEqual({ taskId: 'new', seq: 1 });
    });

    it('copies what is left, with its names', async () => {
      const [from, to] = [connected(open()), connected(open())];
      for (const store of [from, to])
        await store.take({ charts: [], taskClasses: [], tools: [], agents: [] }, 1);
      await settle(from, ['a', 'b', 'last'], { key: 'k' });
      await from.prune([{ taskId: 'a', size: 1 }], 9);
      await from.prune([{ taskId: 'b', size: 1 }], 9);
      const first = await from.transfer.readPruned(null, 1);
      const rest = await from.transfer.readPruned(first[0]?.taskId ?? '', 10);
      expect([...first, ...rest].map(({ taskId }) => taskId)).toEqual(['a', 'b']);
      for (let times = 0; times < 2; times += 1) await to.transfer.writePruned([...first, ...rest]);
      expect(await to.pruned({ taskId: 'b' })).toEqual(await from.pruned({ taskId: 'b' }));
      const names = await from.transfer.readNames('key', null, 10);
      expect(names).toEqual([{ name: 'k', of: 'a', seq: 0 }]);
      expect(await to.transfer.writeNames('key', names)).toBe('ok');
      expect(await to.find({ key: 'k' })).toEqual({ taskId: 'a', seq: 0 });
    });
  });
};
