import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/base/ports/store.ts';
import { deadlineOf, stepOf, takeTasks } from '../steps.ts';
import { connected, type LeasedDatabase, type Open } from './database.ts';

const resting = { isOwed: false } as const;

/** Commits the first steps of tasks that began at these times. */
const begin = async (store: Store, times: Readonly<Record<string, number>>, more = {}): Promise<void> => {
  for (const [taskId, at] of Object.entries(times))
    await store.commit(stepOf(0, { taskId, indexEntry: { at, ...more } }));
};

const stalledIn = async (store: Store, before: number, limit = 10) =>
  (await store.stalled(before, limit)).map(({ indexEntry: { taskId }, attempts, isHeld }) => ({
    taskId,
    attempts,
    isHeld,
  }));

/** Tests what a store tells an operator. */
export const tellsOperators = (open: Open): void => {
  describe('asked for its figures', () => {
    it('has none without tasks', async () => {
      const none = { tasks: 0, since: null };
      expect(await connected(open()).figures(1)).toEqual({
        owed: none,
        held: 0,
        heldElsewhere: 0,
        asking: none,
        overdue: none,
      });
    });

    it('counts what is owed, asked and overdue, each since the first', async () => {
      const store = connected(open());
      await begin(store, { a: 30, b: 20, c: 40 });
      await begin(store, { d: 7, e: 5 }, { ...resting, asking: 2 });
      await begin(store, { f: 1 }, { ...resting, isSettled: true });
      for (const [taskId, ...times] of [['g', 100, 900] as const, ['h', 90] as const, ['i', 901] as const])
        await store.commit(
          stepOf(0, {
            taskId,
            indexEntry: resting,
            deadlines: times.map((at) => deadlineOf(`of ${at}`, at)),
          }),
        );
      expect(await store.figures(900)).toEqual({
        owed: { tasks: 3, since: 20 },
        held: 0,
        heldElsewhere: 0,
        asking: { tasks: 2, since: 5 },
        overdue: { tasks: 2, since: 90 },
      });
    });
  });

  it('returns the tasks with duties of which nothing was recorded for a while, as they began', async () => {
    const store = connected(open());
    await begin(store, { a: 30, b: 20, c: 40, d: 30 });
    await begin(store, { e: 1 }, resting);
    for (const [taskId, at] of [['f', 25] as const, ['g', 15] as const, ['h', 31] as const])
      await store.commit(
        stepOf(0, { taskId, indexEntry: { ...resting, at: 1 }, deadlines: [deadlineOf('d', at)] }),
      );
    const free = { attempts: 0, isHeld: false };
    expect(await stalledIn(store, 30)).toEqual(
      ['a', 'b', 'd', 'g', 'f'].map((taskId) => ({ taskId, ...free })),
    );
    expect(await stalledIn(store, 30, 2)).toEqual(['a', 'b'].map((taskId) => ({ taskId, ...free })));
    const [b, g, ...others] = await store.stalled(20, 10);
    expect(others).toEqual([]);
    expect(b).toMatchObject({ since: 20, indexEntry: (await store.taskIndex({ taskId: 'b' }))[0] });
    expect(g).toMatchObject({ since: 15, indexEntry: (await store.taskIndex({ taskId: 'g' }))[0] });
  });
};

/** Tests what a store with a lock tells an operator. */
export const hasNoAttempts = (open: Open): void => {
  it('has no attempts to set', async () => {
    const store = connected(open());
    await begin(store, { a: 1 });
    expect(await store.setAttempts('a', 0)).toBe(false);
  });
};

const two = (open: () => LeasedDatabase): readonly [Store, Store, LeasedDatabase['lapse']] => {
  const database = open();
  return [connected(database), connected(database), database.lapse];
};

/** Tests what a store with leases tells an operator. */
export const tellsOfHolds = (open: () => LeasedDatabase): void => {
  describe('with leases, asked by an operator', () => {
    it('tells who holds what', async () => {
      const [one, other, lapse] = two(open);
      await begin(one, { a: 1, b: 2, c: 3 });
      await takeTasks(one, 1);
      await takeTasks(other, 2);
      expect(await one.figures(0)).toMatchObject({ owed: { tasks: 3 }, held: 1, heldElsewhere: 2 });
      expect(await other.figures(0)).toMatchObject({ held: 2, heldElsewhere: 1 });
      await lapse();
      expect(await one.figures(0)).toMatchObject({ owed: { tasks: 3 }, held: 0, heldElsewhere: 0 });
    });

    it('returns what no one holds, with its needs, and what holders ended with three times', async () => {
      const [one, other, lapse] = two(open);
      await begin(one, { a: 1, b: 1 });
      await takeTasks(one, 1);
      expect(await stalledIn(one, 1)).toEqual([{ taskId: 'b', attempts: 0, isHeld: false }]);
      const [{ needs } = { needs: null }] = await one.stalled(1, 1);
      expect(needs).toEqual({ taskClass: 'class', tools: ['read'], isTurn: false });
      const only = { taskId: 'a', mayRest: false };
      for (const store of [other, one]) {
        await lapse();
        await takeTasks(store, 1, {}, only);
      }
      expect(await stalledIn(one, 0)).toEqual([]);
      await lapse();
      expect(await stalledIn(one, 0)).toEqual([{ taskId: 'a', attempts: 3, isHeld: false }]);
      await takeTasks(other, 1, {}, only);
      expect(await stalledIn(one, 0)).toEqual([{ taskId: 'a', attempts: 3, isHeld: true }]);
    });

    it('lets a task be taken at once, with other attempts and what lapsed, unless one holds it', async () => {
      const [one, other, lapse] = two(open);
      await begin(one, { a: 1 });
      for (const store of [one, other, one]) {
        await takeTasks(store, 1);
        await lapse();
      }
      expect(await takeTasks(other)).toEqual([]); // left alone for a minute
      expect(await one.setAttempts('a', 0)).toBe(true);
      expect(await takeTasks(other)).toEqual([
        { taskId: 'a', fence: 4, lapsed: { fence: 3, ago: expect.any(Number) }, attempts: 0 },
      ]);
      expect(await one.setAttempts('a', 0)).toBe(false);
      expect(await one.setAttempts('b', 0)).toBe(false);
      await lapse();
      expect(await one.setAttempts('a', 7)).toBe(true);
      expect(await takeTasks(one)).toMatchObject([{ attempts: 7, lapsed: { fence: 4 } }]);
    });
  });
};
