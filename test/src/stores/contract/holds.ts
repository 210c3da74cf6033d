import { describe, expect, it } from 'vitest';
import { digest } from '../../../../src/canonical/digest.ts';
import { isCharterError } from '../../../../src/errors.ts';
import { firstFence, type Hold, type Store } from '../../../../src/ports/store.ts';
import { consumedApprovals, erasureOf, saying, stepOf, takeTasks } from '../steps.ts';
import { connected, type Open } from './database.ts';

/** Begins a task that this connection holds, and returns its hold. */
export const beginHeld = async (store: Store, taskId = 'task'): Promise<Hold> => {
  const [all] = await takeTasks(store);
  const fence = all?.fence ?? firstFence;
  expect(await store.commit(stepOf(0, { taskId, fence }))).toBe('ok');
  return { taskId: all === undefined ? taskId : null, fence, lapsed: null };
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

    it.each(['let go', 'closed'])(
      'gives the next holder a larger fence once the first was %s',
      async (how) => {
        const database = open();
        const [one, other] = [connected(database), connected(database)];
        const hold = await beginHeld(one);
        if (how === 'closed') await one.close();
        else {
          await one.letGo([hold]);
          expect(await one.keep([hold])).toEqual([]);
          expect(await one.commit(stepOf(1, { fence: hold.fence }))).toBe('fenced');
        }
        const [next] = await takeTasks(other);
        expect(next).toEqual({ taskId: hold.taskId, fence: expect.any(Number), lapsed: null });
        expect(next?.fence).toBeGreaterThan(hold.fence);
        expect(await other.commit(stepOf(1, { fence: next?.fence ?? null }))).toBe('ok');
      },
    );

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
      expect(holds).toEqual([{ taskId: null, fence: expect.any(Number), lapsed: null }]);
      expect(await takeTasks(one)).toEqual(holds);
      expect(await refused(takeTasks(other))).toBe('store_owned');
      expect(await other.commit(stepOf(0))).toBe('ok');
      expect(await one.commit(stepOf(1))).toBe('ok');
      await one.close();
      await takeTasks(other);
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
