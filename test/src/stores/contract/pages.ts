import { describe, expect, it } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import type { Store, TaskIndexEntry, TaskOrder, TaskQuery } from '../../../../src/base/ports/store.ts';
import { emissionOf, erasureOf, evidence, stepOf } from '../steps.ts';
import { connected, type Open } from './database.ts';

/** Begins a task with this entry. */
const begin = (store: Store, taskId: string, indexEntry: Partial<TaskIndexEntry> = {}) =>
  store.commit(stepOf(0, { taskId, indexEntry }));

const names = (count: number, prefix = 'task'): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${prefix} ${at}`);

/** Reads all pages; `between` runs after each full one. */
const walk = async (
  store: Store,
  query: TaskQuery & { readonly limit: number },
  between: (page: number) => unknown = () => {},
): Promise<readonly string[]> => {
  const found: string[] = [];
  let after: TaskIndexEntry | undefined;
  for (let page = 0; page < 200; page += 1) {
    const entries = await store.taskIndex({ ...query, ...(after !== undefined && { after }) });
    expect(entries.length).toBeLessThanOrEqual(query.limit);
    found.push(...entries.map(({ taskId }) => taskId));
    after = entries.at(-1);
    if (entries.length < query.limit) return found;
    await between(page);
  }
  throw new Error('the pages do not end');
};

const asking = (rank: string): Partial<TaskIndexEntry> => ({ asking: 1, isOwed: false, rank });

/** Tests pages of the task index, and the counts. */
export const pagesTasks = (open: Open): void => {
  describe('read in pages', () => {
    it.each<[TaskOrder, readonly string[]]>([
      ['began', ['c', 'a', 'b', 'd', 'e']],
      ['newest', ['e', 'd', 'b', 'a', 'c']],
      ['urgent', ['e', 'a', 'd', 'b', 'c']],
    ])('returns every task once, in the order %s, with each page size', async (order, expected) => {
      const store = connected(open());
      const ranks = { c: 'z', a: '3', b: '5', d: '3', e: '1' };
      for (const [taskId, rank] of Object.entries(ranks)) await begin(store, taskId, asking(rank));
      for (const which of [{}, { isAsking: true }, { isSettled: false }, { threadId: 'thread' }])
        for (let limit = 1; limit < 7; limit += 1)
          expect(await walk(store, { ...which, order, limit })).toEqual(expected);
    });

    it('returns every task of one rank once, in each order, in runs of any length', async () => {
      const store = connected(open());
      const all = names(700);
      for (const taskId of all) await begin(store, taskId, asking('same'));
      for (const order of ['began', 'newest', 'urgent'] as const) {
        const expected = order === 'newest' ? all.toReversed() : all;
        for (const limit of [13, 512, 700])
          expect(await walk(store, { isAsking: true, order, limit })).toEqual(expected);
      }
    });

    it('keeps its place when tasks begin, settle and change between pages', async () => {
      const store = connected(open());
      const all = names(9);
      for (const taskId of all) await begin(store, taskId, asking('5'));
      const between = async (page: number): Promise<void> => {
        await begin(store, `new ${page}`, asking('0'));
        const seen = stepOf(1, { taskId: `task ${3 * page}`, indexEntry: { isSettled: true } });
        await store.commit(seen);
        await store.commit(stepOf(1, { taskId: `task ${3 * page + 2}`, indexEntry: asking('9') }));
      };
      const query = { isAsking: true, limit: 3 } as const;
      const found = await walk(store, query, (page) => (page < 3 ? between(page) : undefined));
      expect(found).toEqual([...all, 'new 0', 'new 1', 'new 2']);
    });

    it('meets no new task in a walk from the newest to the oldest', async () => {
      const store = connected(open());
      for (const taskId of names(6)) await begin(store, taskId);
      const query = { order: 'newest', limit: 2 } as const;
      expect(await walk(store, query, (page) => begin(store, `new ${page}`))).toEqual(names(6).toReversed());
    });

    it('goes on after a task that has left the filter, in each order', async () => {
      const store = connected(open());
      for (const taskId of names(4)) await begin(store, taskId, asking('5'));
      const [, second] = await store.taskIndex({ isAsking: true });
      const left = { isSettled: true, asking: 0, rank: '' };
      await store.commit(stepOf(1, { taskId: 'task 1', indexEntry: left }));
      const page = { isAsking: true, after: second!, limit: 5 };
      const rest = async (order: TaskOrder) =>
        (await store.taskIndex({ ...page, order })).map(({ taskId }) => taskId);
      expect(await rest('began')).toEqual(['task 2', 'task 3']);
      expect(await rest('urgent')).toEqual(['task 2', 'task 3']);
      expect(await rest('newest')).toEqual(['task 0']);
    });

    it('goes on after a task whose documents were erased', async () => {
      const store = connected(open());
      for (const taskId of names(3))
        await store.commit(stepOf(0, { taskId, emissions: [emissionOf(evidence)] }));
      const [first] = await store.taskIndex({ limit: 1 });
      expect(await store.erase(erasureOf(1, digest(evidence), { taskId: 'task 0' }), digest(evidence))).toBe(
        'ok',
      );
      expect((await store.taskIndex({ after: first!, limit: 1 })).map(({ taskId }) => taskId)).toEqual([
        'task 1',
      ]);
    });

    it('goes on in another connection', async () => {
      const database = open();
      const [one, other] = [connected(database), connected(database)];
      for (const taskId of names(3)) await begin(one, taskId);
      const [, second] = await one.taskIndex({ limit: 2 });
      expect((await other.taskIndex({ after: second!, limit: 2 })).map(({ taskId }) => taskId)).toEqual([
        'task 2',
      ]);
    });

    it.each<TaskOrder>(['began', 'newest', 'urgent'])(
      'rejects a cursor whose task it does not have, in the order %s',
      async (order) => {
        const store = connected(open());
        await begin(store, 'task');
        const attempt = store.taskIndex({ order, after: { taskId: 'nope', rank: '' }, limit: 1 });
        await expect(attempt).rejects.toMatchObject({
          code: 'not_found',
          details: { kind: 'cursor', id: 'nope', known: [] },
        });
      },
    );
  });

  describe('asked for counts', () => {
    it('counts tasks, settled ones, those with questions, and questions, after each step', async () => {
      const store = connected(open());
      expect(await store.counts()).toEqual({ tasks: 0, settled: 0, asking: 0, questions: 0 });
      await begin(store, 'a', { asking: 2 });
      await begin(store, 'b');
      await begin(store, 'c', { isSettled: true, asking: 1 });
      expect(await store.counts()).toEqual({ tasks: 3, settled: 1, asking: 2, questions: 3 });
      await store.commit(stepOf(1, { taskId: 'a', indexEntry: { isSettled: true } }));
      await store.commit(stepOf(1, { taskId: 'b', indexEntry: { asking: 4 } }));
      expect(await store.counts()).toEqual({ tasks: 3, settled: 2, asking: 2, questions: 5 });
      expect(await store.commit(stepOf(7, { taskId: 'b' }))).toBe('conflict');
      expect(await store.counts()).toEqual({ tasks: 3, settled: 2, asking: 2, questions: 5 });
    });
  });
};
