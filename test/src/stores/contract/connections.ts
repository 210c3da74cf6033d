import { describe, expect, it, vi } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import type { Store } from '../../../../src/base/ports/store.ts';
import { erasureOf, saying, stepOf, takeTasks } from '../steps.ts';
import { connected, type Database, type Open } from './database.ts';
import { eventually } from '../../../waits.ts';

const two = (database: Database): readonly [Store, Store] => [connected(database), connected(database)];

const operations: Readonly<Record<string, (store: Store) => unknown>> = {
  take: (store) => takeTasks(store),
  keep: (store) => store.keep([]),
  letGo: (store) => store.letGo([]),
  commit: (store) => store.commit(stepOf(0)),
  load: (store) => store.load('task'),
  taskIndex: (store) => store.taskIndex(),
  counts: (store) => store.counts(),
  find: (store) => store.find({ key: 'key' }),
  due: (store) => store.due(0),
  watch: (store) => store.watch(() => {}),
  erase: (store) => store.erase(erasureOf(0, digest('it')), digest('it')),
  transfer: (store) => store.transfer.release(),
};

/** Tests several connections to one database. */
export const sharesTasks = (open: Open): void => {
  describe('with two connections', () => {
    it('shows each connection what the other wrote', async () => {
      const [one, other] = two(open());
      await one.commit(stepOf(0, { emissions: [saying('m')] }));
      expect(await other.load('task')).toEqual(await one.load('task'));
      expect(await other.commit(stepOf(1, { key: 'key' }))).toBe('ok');
      expect(await one.find({ key: 'key' })).toEqual({ taskId: 'task', seq: 1 });
      expect(await one.commit(stepOf(2, { key: 'key' }))).toBe('duplicate');
    });

    it('accepts one of two steps per sequence number and keeps every task complete', async () => {
      const stores = two(open());
      for (let seq = 0; seq < 20; seq += 1) {
        const answers = await Promise.all(stores.map((store) => store.commit(stepOf(seq))));
        expect(answers.toSorted()).toEqual(['conflict', 'ok']);
      }
      const task = await stores[0].load('task');
      expect(task?.records.map(({ seq }) => seq)).toEqual([...Array(20).keys()]);
      expect(task?.indexEntry.head).toBe(task?.records.at(-1)?.hash);
    });

    it('notifies watchers of tasks that other connections changed, and not of their own', async () => {
      const [one, other] = two(open());
      await one.commit(stepOf(0, { taskId: 'old' }));
      const [toOne, toOther] = [vi.fn(), vi.fn()];
      one.watch(toOne);
      other.watch(toOther);
      await Promise.all([one.counts(), other.counts()]);
      await one.commit(stepOf(0, { taskId: 'a' }));
      await one.commit(stepOf(0, { taskId: 'b' }));
      await other.commit(stepOf(0, { taskId: 'c' }));
      await one.commit(stepOf(1, { taskId: 'b' }));
      await eventually(() => expect(new Set(toOther.mock.calls.flat(2))).toEqual(new Set(['a', 'b'])));
      await eventually(() => expect(toOne.mock.calls.flat(2)).toEqual(['c']));
      const [step, erased] = [erasureOf(1, digest('it'), { taskId: 'c' }), digest('it')];
      await one.erase(step, erased);
      await eventually(() => expect(toOther.mock.calls.flat(2)).toContain('c'));
      expect(toOne.mock.calls.flat(2)).toEqual(['c']);
    });

    it('notifies no watcher of a rejected step, and none after it ended', async () => {
      const [one, other] = two(open());
      await one.commit(stepOf(0, { key: 'key' }));
      const [ended, closed, goesOn] = [vi.fn(), vi.fn(), vi.fn()];
      const third = two({ connect: () => one })[0];
      third.watch(goesOn)();
      other.watch(ended)();
      other.watch(closed);
      await other.counts();
      await one.commit(stepOf(0, { key: 'key', taskId: 'two' }));
      await other.close();
      await one.commit(stepOf(1));
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect([ended, closed, goesOn].flatMap(({ mock }) => mock.calls)).toEqual([]);
    });
  });

  describe('after it closed', () => {
    it.each(Object.keys(operations))('rejects %s', async (operation) => {
      const store = connected(open());
      await store.commit(stepOf(0));
      await store.close();
      await store.close();
      const attempt = (async () => operations[operation]?.(store))();
      await expect(attempt).rejects.toMatchObject({ code: 'closed', details: { operation } });
    });

    it('leaves its data to other connections', async () => {
      const database = open();
      const [one, other] = two(database);
      await one.commit(stepOf(0));
      await one.close();
      expect((await other.load('task'))?.indexEntry.size).toBe(1);
      expect(await connected(database).commit(stepOf(1))).toBe('ok');
    });
  });
};
