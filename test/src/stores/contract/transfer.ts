import { describe, expect, it } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { firstFence, type NameKind, type Store, type StoredName } from '../../../../src/base/ports/store.ts';
import {
  consumedApprovals,
  deadlineOf,
  emissionOf,
  erasureOf,
  evidence,
  other,
  saying,
  stepOf,
  takeTasks,
} from '../steps.ts';
import { connected, taskIds, type LeasedDatabase, type Open } from './database.ts';

const kinds: readonly NameKind[] = ['key', 'message', 'approval'];

const allNames = async (store: Store, kind: NameKind, limit: number): Promise<readonly StoredName[]> => {
  const names: StoredName[] = [];
  for (;;) {
    const page = await store.transfer.readNames(kind, names.at(-1)?.name ?? null, limit);
    if (page.length === 0) return names;
    names.push(...page);
  }
};

const copyAll = async (from: Store, to: Store): Promise<void> => {
  for (const taskId of await taskIds(from)) {
    const copy = await from.transfer.readTask(taskId);
    expect(await to.transfer.writeTask(copy!)).toBe('ok');
  }
  for (const kind of kinds)
    expect(await to.transfer.writeNames(kind, await allNames(from, kind, 2))).toBe('ok');
};

/** Two tasks with an erased document, names, deadlines and a message that both emitted. */
const filled = async (store: Store): Promise<void> => {
  const intents = [{ kind: 'call' as const, key: 'k', tool: 'send' }];
  const emissions = [emissionOf(evidence), saying('m-1'), emissionOf(other)];
  const first = { key: 'ke\u0000y', emissions, deadlines: [deadlineOf('a', 9)], intents };
  for (const step of [
    stepOf(0, { taskId: 'two', emissions: [saying('m-2')] }),
    stepOf(0, { ...first, ...consumedApprovals('tok\u0000en', 'act\u0000ion') }),
    stepOf(1, { taskId: 'two', key: 'next', emissions: [saying('m-1', 'again')] }),
    stepOf(1, { ...consumedApprovals('other', 'b'), deadlines: [deadlineOf('a', 9)], intents }),
  ])
    expect(await store.commit(step)).toBe('ok');
  const erasure = erasureOf(2, digest(evidence), { deadlines: [deadlineOf('a', 9)], intents });
  expect(await store.erase(erasure, digest(evidence))).toBe('ok');
};

/** Tests that tasks move from a store to another one with all that belongs to them. */
export const copiesTasks = (open: Open): void => {
  describe('with a copy of its tasks', () => {
    it('returns each task, its place and the names as the first store does', async () => {
      const database = open();
      const [from, to] = [connected(database), connected(open())];
      await filled(from);
      await copyAll(from, to);
      expect(await taskIds(to)).toEqual(['two', 'task']);
      for (const taskId of ['two', 'task']) expect(await to.load(taskId)).toEqual(await from.load(taskId));
      for (const kind of kinds) expect(await allNames(to, kind, 1)).toEqual(await allNames(from, kind, 1));
      expect(await to.find({ message: 'm-1' })).toEqual({ taskId: 'task', seq: 0 });
      expect(await to.find({ key: 'ke\u0000y' })).toEqual({ taskId: 'task', seq: 0 });
      expect(await to.counts()).toEqual(await from.counts());
      expect(await to.due(9)).toEqual(await from.due(9));
    });

    it('continues a copied task, and refuses the keys and approvals that it used', async () => {
      const database = open();
      const [from, to] = [connected(database), connected(open())];
      await filled(from);
      await copyAll(from, to);
      expect(await to.commit(stepOf(3, { key: 'next' }))).toBe('duplicate');
      expect(await to.commit(stepOf(3, consumedApprovals('other', 'c')))).toBe('spent');
      expect(await to.erase(erasureOf(3, digest(other)), digest(other))).toBe('ok');
      expect((await to.load('task'))?.emissions).toEqual([saying('m-1')]);
      expect(await to.commit(stepOf(4, { snapshot: null }))).toBe('ok');
      expect((await to.load('task'))?.snapshot).toBe('snapshot 1');
    });

    it('refuses a task that it has, and names of others, and writes nothing of them', async () => {
      const database = open();
      const [from, to] = [connected(database), connected(open())];
      await filled(from);
      await to.commit(stepOf(0, { key: 'next', ...consumedApprovals('other', 'c') }));
      const before = await to.load('task');
      expect(await to.transfer.writeTask((await from.transfer.readTask('task'))!)).toBe('conflict');
      expect(await to.load('task')).toEqual(before);
      await to.transfer.writeTask((await from.transfer.readTask('two'))!);
      for (const kind of ['key', 'approval'] as const)
        expect(await to.transfer.writeNames(kind, await allNames(from, kind, 9))).toBe('conflict');
      expect(await to.find({ key: 'ke\u0000y' })).toBeUndefined();
      expect(await to.transfer.writeNames('key', [{ name: 'free', of: 'none', seq: 0 }])).toBe('conflict');
      expect((await to.counts()).tasks).toBe(2);
    });

    it('keeps names that were copied before', async () => {
      const database = open();
      const [from, to] = [connected(database), connected(open())];
      await filled(from);
      await copyAll(from, to);
      for (const kind of kinds) {
        const names = await allNames(to, kind, 9);
        expect(await to.transfer.writeNames(kind, names)).toBe('ok');
        expect(await allNames(to, kind, 9)).toEqual(names);
      }
    });

    it('holds a copied task by a larger fence than before', async () => {
      const database = open();
      const [from, to] = [connected(database), connected(open())];
      await filled(from);
      const copy = (await from.transfer.readTask('task'))!;
      await to.transfer.writeTask({
        ...copy,
        fence: 41,
        needs: { taskClass: 'class', tools: ['read'], isTurn: false },
      });
      await to.transfer.release();
      const [hold] = await takeTasks(to);
      expect(hold?.fence).toBeGreaterThan(41);
    });
  });
};

/** Tests that a hold that lapsed is remembered by the copy; for stores with leases. */
export const copiesLapsedHolds = (open: () => LeasedDatabase): void => {
  it('copies what lapsed, and says what is held', async () => {
    const database = open();
    const [from, to] = [connected(database), connected(open())];
    expect(await from.commit(stepOf(0, { fence: firstFence }))).toBe('ok');
    expect((await from.transfer.readTask('task'))?.isHeld).toBe(true);
    await database.lapse();
    expect((await from.transfer.readTask('task'))?.isHeld).toBe(false);
    await to.transfer.writeTask((await from.transfer.readTask('task'))!);
    expect(await takeTasks(to)).toEqual([]);
    expect((await to.transfer.readTask('task'))?.isHeld).toBe(true);
    await to.transfer.release();
    const [hold] = await takeTasks(to);
    expect(hold).toMatchObject({ fence: firstFence + 1, lapsed: { fence: firstFence }, attempts: 1 });
  });
};
