import { describe, expect, it } from 'vitest';
import type { TaskIndexEntry, Which } from '../../../../src/base/ports/store.ts';
import { deadlineOf, saying, stepOf } from '../steps.ts';
import { connected, type Open } from './database.ts';

const stands: Readonly<Record<string, Partial<TaskIndexEntry>>> = {
  z: { threadId: 'one', isOwed: true },
  y: { threadId: 'two', isOwed: false, asking: 1 },
  x: { threadId: 'one', parent: 'z', isOwed: false, isSettled: true, chart: '0' },
  w: { threadId: 'two', parent: 'z', isOwed: true, asking: 3, chart: '2' },
  v: { threadId: 'three', parent: 'w', isOwed: false, awaits: 1 },
  u: { threadId: 'three', isOwed: false, chart: '' },
};

const views: readonly (readonly [Which, string])[] = [
  [{}, 'zyxwvu'],
  [{ taskId: 'y' }, 'y'],
  [{ taskId: 'nope' }, ''],
  [{ threadId: 'one' }, 'zx'],
  [{ threadId: 'nope' }, ''],
  [{ parent: 'z' }, 'xw'],
  [{ parent: 'y' }, ''],
  [{ within: 'z' }, 'zxwv'],
  [{ within: 'w' }, 'wv'],
  [{ within: 'u' }, 'u'],
  [{ within: 'nope' }, ''],
  [{ within: 'z', isAsking: true }, 'w'],
  [{ isNested: true }, 'xwv'],
  [{ isNested: false }, 'zyu'],
  [{ isNested: false, parent: 'z' }, ''],
  [{ isNested: true, isSettled: false }, 'wv'],
  [{ isSettled: true }, 'x'],
  [{ isSettled: false }, 'zywvu'],
  [{ isOwed: true }, 'zw'],
  [{ isOwed: false }, 'yxvu'],
  [{ isAsking: true }, 'yw'],
  [{ isAsking: false }, 'zxvu'],
  [{ isIdle: true }, 'u'],
  [{ isIdle: false }, 'zyxwv'],
  [{ otherChart: '1' }, 'xwu'],
  [{ otherChart: '1', isSettled: false }, 'wu'],
  [{ otherChart: '', isSettled: false }, 'zywv'],
  [{ otherChart: '2', isSettled: true }, 'x'],
  [{ threadId: 'two', isAsking: true, isOwed: true }, 'w'],
  [{ taskId: 'z', isSettled: true }, ''],
  [{ parent: 'z', isSettled: false, isAsking: true, isOwed: true, threadId: 'two', taskId: 'w' }, 'w'],
];

/** Tests what a store returns about tasks without loading them. */
export const tellsOfTasks = (open: Open): void => {
  describe('asked for task summaries', () => {
    it.each(views)('returns those that match %j, in the order of their beginning', async (which, names) => {
      const store = connected(open());
      const steps = Object.entries(stands).map(([taskId, indexEntry]) => stepOf(0, { taskId, indexEntry }));
      for (const step of steps) await store.commit(step);
      const expected = names
        .split('')
        .map((taskId) => steps.find((step) => step.taskId === taskId)?.indexEntry);
      expect(await store.taskIndex(which)).toEqual(expected);
    });

    it('returns the summaries after the last step', async () => {
      const store = connected(open());
      await store.commit(stepOf(0, { indexEntry: { threadId: 'a', parent: 'p', isSettled: false } }));
      const changed = {
        threadId: 'b',
        parent: null,
        isSettled: true,
        isOwed: false,
        at: 7.5,
        asking: 2,
        awaits: 3,
        rank: 'r',
        chart: '2',
      };
      await store.commit(stepOf(0, { taskId: 'two' }));
      const step = stepOf(1, { indexEntry: changed });
      await store.commit(step);
      expect(await store.taskIndex({ isAsking: true })).toEqual([step.indexEntry]);
      expect(await store.taskIndex({ threadId: 'a' })).toEqual([]);
      expect(await store.taskIndex({ within: 'p' })).toEqual([]);
      expect((await store.taskIndex()).map(({ taskId }) => taskId)).toEqual(['task', 'two']);
    });
  });

  describe('asked for a record', () => {
    it('finds it by its key and by a message id', async () => {
      const store = connected(open());
      await store.commit(stepOf(0, { emissions: [saying('a'), saying('b')] }));
      await store.commit(stepOf(1, { key: 'key' }));
      await store.commit(stepOf(0, { taskId: 'two', key: 'other', emissions: [saying('c')] }));
      expect(await store.find({ message: 'b' })).toEqual({ taskId: 'task', seq: 0 });
      expect(await store.find({ message: 'c' })).toEqual({ taskId: 'two', seq: 0 });
      expect(await store.find({ key: 'key' })).toEqual({ taskId: 'task', seq: 1 });
      expect(await store.find({ key: 'a' })).toBeUndefined();
      expect(await store.find({ message: 'key' })).toBeUndefined();
    });

    it('returns the first record of a message id', async () => {
      const store = connected(open());
      for (const taskId of ['b', 'a']) await store.commit(stepOf(0, { taskId, emissions: [saying('m')] }));
      expect(await store.find({ message: 'm' })).toEqual({ taskId: 'b', seq: 0 });
    });
  });

  describe('asked for due tasks', () => {
    it('returns them by deadline, and the time of the next deadline', async () => {
      const store = connected(open());
      const running = { a: [30], b: [10, 40], c: [20, 50], d: [10], e: [] };
      for (const [taskId, times] of Object.entries(running)) {
        const deadlines = times.map((at) => deadlineOf(`of ${at}`, at));
        await store.commit(stepOf(0, { taskId, deadlines }));
      }
      expect(await store.due(9)).toEqual({ taskIds: [], next: 10 });
      expect(await store.due(10)).toEqual({ taskIds: ['b', 'd'], next: 20 });
      expect(await store.due(30)).toEqual({ taskIds: ['b', 'd', 'c', 'a'], next: 40 });
      expect(await store.due(45)).toEqual({ taskIds: ['b', 'd', 'c', 'a'], next: 50 });
      expect(await store.due(Infinity)).toEqual({ taskIds: ['b', 'd', 'c', 'a'], next: null });
      expect(await store.due(-Infinity)).toEqual({ taskIds: [], next: 10 });
    });

    it('drops deadlines that ended', async () => {
      const store = connected(open());
      await store.commit(stepOf(0, { deadlines: [deadlineOf('a', 10)] }));
      await store.commit(stepOf(1, { deadlines: [] }));
      expect(await store.due(20)).toEqual({ taskIds: [], next: null });
    });
  });
};
