import { describe, expect, it } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { isCharterError } from '../../../../src/base/errors.ts';
import { firstFence, type Hold, type Store } from '../../../../src/base/ports/store.ts';
import { consumedApprovals, deadlineOf, erasureOf, saying, stepOf, takeTasks } from '../steps.ts';
import { connected, type LeasedDatabase, type Open } from './database.ts';

/** Begins a task that this connection holds, and returns its hold. */
export const beginHeld = async (store: Store, taskId = 'task'): Promise<Hold> => {
  const [all] = await takeTasks(store);
  const fence = all?.fence ?? firstFence;
  expect(await store.commit(stepOf(0, { taskId, fence }))).toBe('ok');
  return { taskId: all === undefined ? taskId : null, fence, lapsed: null, attempts: 0 };
};

/** Tests that a step under a fence is written by its holder only. */
export const fencesSteps = (open: Open): void => {
  describe('with a fence', () => {
    it('writes the steps of the holder, and those without a fence of any connection', async () => {
      const database = open();
      const [one, other] = [connected(database), connected(database)];
      const { fence } = await beginHeld(one);
      expect(await other.commit(stepOf(1))).toBe('ok');
      expect(await one.commit(stepOf(2, { fence }))).toBe('ok');
      expect(await one.commit(stepOf(3))).toBe('ok');
      const erased = digest('it');
      expect(await one.erase(erasureOf(4, erased, { fence }), erased)).toBe('ok');
    });

    it.each([-1, 1])('answers fenced for a fence that is not the current one: %d beside it', async (off) => {
      const store = connected(open());
      const { fence } = await beginHeld(store);
      const before = await store.load('task');
      const step = stepOf(1, { fence: fence + off, key: 'key', emissions: [saying('m')] });
      expect(await store.commit(step)).toBe('fenced');
      expect(await store.erase({ ...step, key: null }, digest('it'))).toBe('fenced');
      expect(await store.load('task')).toEqual(before);
      expect(await store.find({ key: 'key' })).toBeUndefined();
      expect(await store.find({ message: 'm' })).toBeUndefined();
    });

    it('answers fenced before every other refusal', async () => {
      const store = connected(open());
      const { fence } = await beginHeld(store);
      await store.commit(stepOf(1, { key: 'key', ...consumedApprovals('token', 'a') }));
      const refused = stepOf(1, { key: 'key', fence: fence + 1, ...consumedApprovals('token', 'b') });
      expect(await store.commit(refused)).toBe('fenced');
    });

    it('answers fenced to a connection that does not hold the task, though its fence is the current one', async () => {
      const database = open();
      const [one, other] = [connected(database), connected(database)];
      const { fence } = await beginHeld(one);
      expect(await other.commit(stepOf(1, { fence }))).toBe('fenced');
      expect(await one.commit(stepOf(1, { fence }))).toBe('ok');
    });

    it('keeps the holds that are current, and no others', async () => {
      const database = open();
      const [one, other] = [connected(database), connected(database)];
      const hold = await beginHeld(one);
      const kept = await one.keep([hold, { ...hold, fence: hold.fence + 1 }]);
      expect(kept.map(({ taskId, fence }) => [taskId, fence])).toEqual([[hold.taskId, hold.fence]]);
      expect(await other.keep([hold])).toEqual([]);
      expect(await one.keep([])).toEqual([]);
    });

    it('gives the next holder a larger fence once the first let go', async () => {
      const database = open();
      const [one, other] = [connected(database), connected(database)];
      const hold = await beginHeld(one);
      await one.letGo([hold]);
      expect(await one.keep([hold])).toEqual([]);
      expect(await one.commit(stepOf(1, { fence: hold.fence }))).toBe('fenced');
      const [next] = await takeTasks(other);
      expect(next).toEqual({ taskId: hold.taskId, fence: expect.any(Number), lapsed: null, attempts: 0 });
      expect(next?.fence).toBeGreaterThan(hold.fence);
      expect(await other.commit(stepOf(1, { fence: next?.fence ?? null }))).toBe('ok');
    });

    it('lets go of nothing that another connection holds', async () => {
      const database = open();
      const [one, other] = [connected(database), connected(database)];
      const hold = await beginHeld(one);
      await other.letGo([hold]);
      expect(await one.commit(stepOf(1, { fence: hold.fence }))).toBe('ok');
    });
  });
};

const refused = async (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: unknown) => (isCharterError(error) ? error.code : error),
  );

/** Tests a store that holds all its tasks at once, by a lock. */
export const locksStore = (open: Open): void => {
  describe('with a lock', () => {
    it('is held by one connection until that one closes', async () => {
      const database = open();
      const [one, other] = [connected(database), connected(database)];
      expect(one.lease).toBe(Infinity);
      const holds = await takeTasks(one);
      expect(holds).toEqual([{ taskId: null, fence: expect.any(Number), lapsed: null, attempts: 0 }]);
      expect(await takeTasks(one)).toEqual(holds);
      expect(await refused(takeTasks(other))).toBe('store_owned');
      expect(await other.commit(stepOf(0))).toBe('ok');
      expect(await one.commit(stepOf(1))).toBe('ok');
      await one.close();
      const [next] = await takeTasks(other);
      expect(next?.fence).toBeGreaterThan(holds[0]?.fence ?? Infinity);
    });

    it('stays held when another connection closes', async () => {
      const database = open();
      const [one, other] = [connected(database), connected(database)];
      await takeTasks(one);
      expect(await refused(takeTasks(other))).toBe('store_owned');
      await other.close();
      expect(await refused(takeTasks(connected(database)))).toBe('store_owned');
    });

    it('has the time of the machine', async () => {
      const store = connected(open());
      await store.commit(stepOf(0));
      expect(store.now()).toBeNull();
    });
  });
};

/** Begins a task that no one holds, unless the step has a fence. */
const hour = 3_600_000;

const begin = (store: Store, taskId: string, given: Parameters<typeof stepOf>[1] = {}) =>
  store.commit(stepOf(0, { taskId, ...given }));

const names = (holds: readonly Hold[]): ReadonlySet<string | null> =>
  new Set(holds.map(({ taskId }) => taskId));

/** Tests a store that holds each task by a lease. */
export const leasesTasks = (open: () => LeasedDatabase): void => {
  const two = (): readonly [Store, Store, LeasedDatabase['lapse']] => {
    const database = open();
    return [connected(database), connected(database), database.lapse];
  };
  describe('with leases', () => {
    it('gives each task to one of several takers', async () => {
      const [one, other] = two();
      const stores = [one, other];
      const all = Array.from({ length: 40 }, (_, at) => `task ${at}`);
      for (const taskId of all) await begin(one, taskId);
      const taken = await Promise.all([...stores, ...stores, ...stores].map((store) => takeTasks(store, 5)));
      expect(names(taken.flat()).size).toBe(taken.flat().length);
      const rest = await Promise.all(stores.map((store) => takeTasks(store)));
      expect(names([...taken, ...rest].flat())).toEqual(new Set(all));
    });

    it('gives tasks with duties or due deadlines, and no others', async () => {
      const [one, other] = two();
      const parked = { isOwed: false };
      await begin(one, 'owed');
      await begin(one, 'parked', { indexEntry: parked });
      await begin(one, 'due', { indexEntry: parked, deadlines: [deadlineOf('a', Date.now() - 1)] });
      await begin(one, 'later', { indexEntry: parked, deadlines: [deadlineOf('a', Date.now() + 60_000)] });
      await begin(one, 'held', { fence: firstFence });
      expect(names(await takeTasks(other))).toEqual(new Set(['due', 'owed']));
      expect(await takeTasks(one)).toEqual([]);
    });

    it.each([
      ['charts', { charts: ['2'] }],
      ['task classes', { taskClasses: ['another'] }],
      ['tools', { tools: ['send'] }],
    ])('gives no task to a process without its %s', async (_, capabilities) => {
      const [one, other] = two();
      await begin(one, 'task');
      expect(await takeTasks(other, 100, capabilities)).toEqual([]);
      expect(names(await takeTasks(other))).toEqual(new Set(['task']));
    });

    it('gives a task that waits for its agent only to a process that runs it, or asks for it by name', async () => {
      const [one, other] = two();
      const needs = { taskClass: 'class', tools: ['read'], isTurn: true };
      await begin(one, 'task', { needs });
      await begin(one, 'another', { needs });
      await begin(one, 'due', { needs, deadlines: [deadlineOf('a', Date.now() - 1)] });
      expect(names(await takeTasks(other, 100, { agents: ['other'] }))).toEqual(new Set(['due']));
      expect(names(await takeTasks(other, 100, {}, { taskId: 'task', mayRest: false }))).toEqual(
        new Set(['task']),
      );
      expect(await takeTasks(one, 100, {}, { taskId: 'task', mayRest: false })).toEqual([]);
      await one.commit(stepOf(1, { taskId: 'another', needs: null }));
      expect(await takeTasks(other, 100, { agents: [] })).toEqual([]);
      expect(names(await takeTasks(one))).toEqual(new Set(['another']));
    });

    it('gives a task without duties only to a process that asks for it by name, and may take one that rests', async () => {
      const [one, other] = two();
      await begin(one, 'task', { indexEntry: { isOwed: false } });
      expect(await takeTasks(other)).toEqual([]);
      expect(await takeTasks(other, 1, {}, { taskId: 'task', mayRest: false })).toEqual([]);
      expect(names(await takeTasks(other, 1, {}, { taskId: 'task', mayRest: true }))).toEqual(
        new Set(['task']),
      );
      expect(await takeTasks(one, 1, {}, { taskId: 'task', mayRest: true })).toEqual([]);
    });

    it('keeps what a task needs through a step that does not know it', async () => {
      const [one, other] = two();
      await begin(one, 'task');
      await one.commit(stepOf(1, { needs: null }));
      expect(names(await takeTasks(other))).toEqual(new Set(['task']));
      await other.commit(stepOf(2, { needs: { taskClass: 'class', tools: ['new'], isTurn: false } }));
      await other.letGo([{ taskId: 'task', fence: 1, lapsed: null, attempts: 0 }]);
      expect(await takeTasks(one)).toEqual([]);
      expect(names(await takeTasks(one, 1, { tools: ['new', 'read'] }))).toEqual(new Set(['task']));
    });

    it('lets another take over after the lease, with what lapsed, and fences the former holder', async () => {
      const [one, other, lapse] = two();
      await begin(one, 'task', { fence: firstFence });
      expect(await takeTasks(other)).toEqual([]);
      await lapse();
      const [hold] = await takeTasks(other);
      expect(hold).toEqual({
        taskId: 'task',
        fence: 2,
        lapsed: { fence: firstFence, ago: expect.any(Number) },
        attempts: 1,
      });
      expect(hold?.lapsed?.ago).toBeGreaterThan(50);
      expect(hold?.lapsed?.ago).toBeLessThan(hour);
      expect(await one.keep([{ taskId: 'task', fence: firstFence, lapsed: null, attempts: 0 }])).toEqual([]);
      expect(await one.commit(stepOf(1, { fence: firstFence }))).toBe('fenced');
      expect(await other.commit(stepOf(1, { fence: 2 }))).toBe('ok');
    });

    it('remembers a hold that lapsed through one that was let go', async () => {
      const [one, other, lapse] = two();
      await begin(one, 'task', { fence: firstFence });
      await lapse();
      await other.letGo(await takeTasks(other));
      const [hold] = await takeTasks(one);
      expect(hold).toMatchObject({ fence: 3, lapsed: { fence: firstFence } });
    });

    it('counts the holds in a row that lapsed without a record of their holders', async () => {
      const [one, other, lapse] = two();
      await begin(one, 'task', { fence: firstFence });
      const taken = async (): Promise<Hold | undefined> => (await takeTasks(other))[0];
      await lapse();
      expect(await taken()).toMatchObject({ fence: 2, attempts: 1 });
      expect(await one.commit(stepOf(1))).toBe('ok');
      await lapse();
      const hold = await taken();
      expect(hold).toMatchObject({ fence: 3, attempts: 2 });
      await other.letGo(hold === undefined ? [] : [hold]);
      expect(await taken()).toMatchObject({ fence: 4, attempts: 2 });
      expect(await other.commit(stepOf(2, { fence: 4 }))).toBe('ok');
      await lapse();
      expect(await taken()).toMatchObject({ fence: 5, attempts: 1 });
    });

    it('leaves a task alone for minutes after each hold in a row from the third on, unless it is asked for', async () => {
      const [one, other, lapse] = two();
      await begin(one, 'task', { fence: firstFence });
      const taken = async (seconds: number, only?: Parameters<typeof takeTasks>[3]) => {
        await lapse(seconds * 1_000);
        return (await takeTasks(other, 100, {}, only)).map(({ attempts }) => attempts);
      };
      expect(await taken(0)).toEqual([1]);
      expect(await taken(0)).toEqual([2]);
      expect(await taken(59)).toEqual([]);
      expect(await taken(61)).toEqual([3]);
      expect(await taken(119)).toEqual([]);
      expect(await taken(121)).toEqual([4]);
      expect(await taken(0)).toEqual([5]); // it is not tried again now, but asked about
      expect(await taken(479)).toEqual([]);
      expect(await taken(481)).toEqual([6]);
      expect(await taken(0, { taskId: 'task', mayRest: false })).toEqual([7]);
    });

    it('gives a process one task at a time of those whose holds lapse in a row, and others beside it', async () => {
      const [one, other, lapse] = two();
      for (const taskId of ['a', 'b', 'c']) await begin(one, taskId, { fence: firstFence });
      for (const held of [3, 3]) {
        await lapse();
        expect(await takeTasks(other)).toHaveLength(held);
      }
      await begin(one, 'new');
      await lapse(61_000);
      expect(names(await takeTasks(other))).toEqual(new Set(['a', 'new']));
      expect(await takeTasks(other)).toEqual([]);
      expect(names(await takeTasks(one))).toEqual(new Set(['b']));
      expect(await other.commit(stepOf(1, { taskId: 'a', fence: 4 }))).toBe('ok');
      expect(names(await takeTasks(other))).toEqual(new Set(['c']));
    });

    it('stays with a holder that keeps it, and writes after a lease that nobody took over', async () => {
      const [one, other, lapse] = two();
      await begin(one, 'task', { fence: firstFence });
      const holds = [{ taskId: 'task', fence: firstFence, lapsed: null, attempts: 0 }];
      await lapse();
      expect(await one.commit(stepOf(1, { fence: firstFence }))).toBe('ok');
      expect(await one.keep(holds)).toEqual(holds);
      expect(await takeTasks(other)).toEqual([]);
      await lapse();
      expect(await takeTasks(other)).toMatchObject([{ fence: firstFence + 1 }]);
    });

    it('is not let go by closing: work may still be in flight', async () => {
      const [one, other, lapse] = two();
      await begin(one, 'task', { fence: firstFence });
      await one.close();
      expect(await takeTasks(other)).toEqual([]);
      await lapse();
      expect(await takeTasks(other)).toMatchObject([{ fence: 2, lapsed: { fence: firstFence } }]);
    });

    it('tells the time of the store with each commit and keep', async () => {
      const [one, other] = two();
      expect(one.now()).toBeNull();
      const begun = Date.now();
      await begin(one, 'task');
      await other.keep([]);
      for (const store of [one, other]) {
        expect(store.now()).toBeGreaterThan(begun - hour);
        expect(store.now()).toBeLessThan(begun + hour);
      }
      const before = one.now() ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect((one.now() ?? 0) - before).toBeGreaterThan(30);
    });
  });
};
