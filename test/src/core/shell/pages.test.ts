import { describe, expect, it } from 'vitest';
import type { Orchestrator, Page } from '../../../../src/index.ts';
import type { Store } from '../../../../src/base/ports/store.ts';
import { stepOf } from '../../stores/steps.ts';
import { desk, park, parkedEntry } from './parked-store.ts';

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `task ${at}`);

/** Reads all pages; `between` runs after each one but the last. */
const walk = async <Item>(
  read: (after: string | null) => Promise<Page<Item>>,
  between: (page: number) => unknown = () => {},
): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let page = await read(null);
  for (let at = 0; page.next !== null; at += 1) {
    items.push(...page.items);
    await between(at);
    page = await read(page.next);
  }
  return [...items, ...page.items];
};

const messageIds = (entries: Awaited<ReturnType<Orchestrator['inbox']>>): readonly string[] =>
  entries.map(({ message }) => message.messageId);

const answered = (store: Store, taskId: string) =>
  store.commit(stepOf(1, { taskId, indexEntry: parkedEntry(taskId) }));

describe('inbox() and list()', () => {
  it('return everything without a limit, however much there is', async () => {
    const { orchestrator } = await desk(names(1_203));
    expect((await orchestrator.list()).map(({ taskId }) => taskId)).toEqual(names(1_203));
    expect((await orchestrator.inbox()).map(({ taskId }) => taskId)).toEqual(names(1_203));
    const counts = { tasks: 1_203, settled: 0, asking: 1_203, questions: 1_203 };
    expect(await orchestrator.counts()).toEqual(counts);
  });

  it.each([1, 2, 3, 6, 7, 8, 1_000])(
    'return the same in pages of %i, and end with next null',
    async (limit) => {
      const { orchestrator } = await desk(names(7), [{}, {}]);
      const tasks = await walk((after) => orchestrator.list({ limit, after }));
      expect(tasks).toEqual(await orchestrator.list());
      const newest = await walk((after) => orchestrator.list({ limit, after, order: 'newest' }));
      expect(newest).toEqual(tasks.toReversed());
      expect(await walk((after) => orchestrator.inbox({ limit, after }))).toEqual(await orchestrator.inbox());
      const [page, more] = [await orchestrator.list({ limit }), limit < 7];
      expect(page.next === null).toBe(!more);
      expect(Object.isFrozen(page.items)).toBe(true);
    },
  );

  it('lose and repeat no question when tasks begin and are answered between pages', async () => {
    const { orchestrator, store } = await desk(names(9));
    const found = await walk(
      (after) => orchestrator.inbox({ limit: 2, after }),
      async (page) => {
        if (page > 3) return;
        await answered(store, `task ${2 * page + 1}`); // the last of this page
        await park(store, `new ${page}`, { questions: [{}] });
      },
    );
    const begun = ['new 0', 'new 1', 'new 2', 'new 3'];
    expect(found.map(({ taskId }) => taskId)).toEqual([...names(9), ...begun]);
  });

  it('keep the questions of a task on one page', async () => {
    const { orchestrator } = await desk(names(3), [{}, {}, {}]);
    const page = await orchestrator.inbox({ limit: 1 });
    expect(messageIds(page.items)).toEqual([0, 1, 2].map((at) => `task 0 asks ${at}`));
  });

  it('filter by task, thread, family and state', async () => {
    const { orchestrator, store } = await desk();
    await park(store, 'a', { threadId: 'one', isSettled: true });
    await park(store, 'b', { threadId: 'two', questions: [{}] });
    await park(store, 'c', { threadId: 'two', parent: 'b', questions: [{}] });
    await park(store, 'd', { threadId: 'two', parent: 'c', awaits: 1 });
    const filters = [
      [{ taskId: 'c' }, 'c'],
      [{ threadId: 'two' }, 'bcd'],
      [{ within: 'c' }, 'cd'],
      [{ isSettled: true }, 'a'],
      [{ isAsking: false, isSettled: false }, 'd'],
      [{ taskId: 'none' }, ''],
    ] as const;
    for (const [filter, expected] of filters) {
      const found = await orchestrator.list(filter);
      expect(found.map(({ taskId }) => taskId).join('')).toBe(expected);
      expect(await walk((after) => orchestrator.list({ ...filter, limit: 1, after }))).toEqual(found);
    }
    expect((await orchestrator.inbox('b')).map(({ taskId }) => taskId)).toEqual(['b', 'c']);
    expect((await orchestrator.inbox({ within: 'c', limit: 5 })).items).toHaveLength(1);
    expect(await orchestrator.inbox('d')).toEqual([]);
  });

  it('show the most urgent questions first on request', async () => {
    const { orchestrator, store } = await desk();
    const weights = [{}, { priority: 'low' }, { severity: 9 }, { priority: 'high' }, { priority: 3.5 }];
    for (const [at, weight] of weights.entries()) await park(store, `${at}`, { questions: [{}, weight] });
    const read = (after: string | null) => orchestrator.inbox({ order: 'urgent', limit: 2, after });
    const first = ['4 asks 1', '3 asks 1', '4 asks 0', '3 asks 0'];
    expect(messageIds((await read(null)).items)).toEqual(first);
    const order = new Set((await walk(read)).map(({ taskId }) => taskId));
    expect([...order]).toEqual(['4', '3', '1', '2', '0']);
  });

  it('report a task whose summary cannot be read, and go on after it', async () => {
    const { orchestrator, store, errors } = await desk(names(2));
    await store.commit(
      stepOf(0, { taskId: 'broken', indexEntry: { ...parkedEntry('broken'), summary: 'x' } }),
    );
    await park(store, 'after', { questions: [{}] });
    const found = await walk((after) => orchestrator.list({ limit: 1, after }));
    expect(found.map(({ taskId }) => taskId)).toEqual(['task 0', 'task 1', 'after']);
    expect(errors).toMatchObject([{ code: 'task_corrupted', details: { taskId: 'broken' } }]);
  });
});

/** The cursor of a first page. */
const cursorOf = async (orchestrator: Orchestrator): Promise<string> =>
  (await orchestrator.list({ limit: 1 })).next ?? '';

describe('a page that cannot be read', () => {
  it.each([0, -1, 1.5, 1_001, Number.NaN, Infinity, '10', null, undefined])(
    'is rejected for the limit %s',
    async (limit) => {
      const { orchestrator } = await desk(names(2));
      const query = { limit: limit as number, after: null };
      const expected = {
        code: 'document_invalid',
        message: 'page is not valid: "/limit": expected a whole number from 1 to 1,000',
        details: { issues: [{ path: '/limit' }] },
      };
      await expect(orchestrator.list(query)).rejects.toMatchObject(expected);
      await expect(orchestrator.inbox(query)).rejects.toMatchObject(expected);
    },
  );

  it.each(['', 'x', '[]', 'WzEsMiwzXQ', Buffer.from('["began",1,""]').toString('base64url')])(
    'is rejected for the cursor %j',
    async (after) => {
      const { orchestrator } = await desk(names(2));
      const expected = {
        code: 'document_invalid',
        message: 'page is not valid: "/after": expected the `next` of an earlier page',
      };
      await expect(orchestrator.list({ limit: 1, after })).rejects.toMatchObject(expected);
      await expect(orchestrator.inbox({ limit: 1, after })).rejects.toMatchObject(expected);
    },
  );

  it('is rejected for a cursor of another order', async () => {
    const { orchestrator } = await desk(names(2));
    const after = await cursorOf(orchestrator);
    await expect(orchestrator.list({ limit: 1, after, order: 'newest' })).rejects.toMatchObject({
      code: 'document_invalid',
      message:
        'page is not valid: "/after" is a place in the order began: read the first page in the order newest',
    });
  });

  it('is rejected for a cursor of another store', async () => {
    const [one, other] = [await desk(names(2)), await desk(['elsewhere'])];
    const after = await cursorOf(one.orchestrator);
    await expect(other.orchestrator.inbox({ limit: 1, after })).rejects.toMatchObject({
      code: 'not_found',
      details: { kind: 'cursor', id: 'task 0' },
      message: 'task "task 0" of this cursor is not in the store: read again from the first page',
    });
  });

  it.each([{ limit: 1, show: 'all' }, { show: 'all' }, { isSettled: 'no' }, { order: 'urgent', limit: 1 }])(
    'is rejected for an unknown filter: %j',
    async (query) => {
      const { orchestrator } = await desk(names(2));
      await expect(orchestrator.list(query as object)).rejects.toMatchObject({ code: 'document_invalid' });
    },
  );

  it('is rejected after close', async () => {
    const { orchestrator } = await desk(names(2));
    await orchestrator.close();
    for (const operation of ['list', 'inbox', 'counts'] as const)
      await expect(orchestrator[operation]()).rejects.toMatchObject({
        code: 'closed',
        details: { operation },
      });
  });
});
