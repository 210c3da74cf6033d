import { expect, it, vi } from 'vitest';
import { fromJsonLines, verifyLedger } from '../../../../src/core/ledger/index.ts';
import { isCharterError } from '../../../../src/index.ts';
import { memoryBlobs } from '../../../../src/stores/memory.ts';
import { scene } from './scene.ts';
import { call, draft, identity, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const day = 86_400_000;

const codeOf = async (refused: Promise<unknown>): Promise<unknown> => {
  const error: unknown = await refused.catch((thrown: unknown) => thrown);
  return isCharterError(error) ? error.code : error;
};

/** Tasks that settle at once, and those that ask, in turn as they are submitted. */
const scenario = (more = {}) =>
  scene({
    model: ({ request, asks }) =>
      asks === 'plan' ? plan(request['asks'] === true ? [call('send')] : [call('look')]) : draft(),
    tools: [writeTool('send'), readTool('look', { call: () => ({ text: 'a b '.repeat(1_250) }) })],
    policy: 'needs_review',
    ...more,
  });

const request = (payload = {}, threadId?: string) => ({
  taskClass: 'work',
  payload,
  identity,
  ...(threadId !== undefined && { threadId }),
});

it('takes methods of an instance, and options as they are at the call', async () => {
  const { orchestrator, clock } = scenario();
  const kept = await orchestrator.submit(request());
  await settle();
  await clock.advance(2 * day);
  class Retention {
    settledBefore = clock.now() - day;
    readonly #threads = [kept.threadId];
    keep({ threadId }: { readonly threadId: string }): boolean {
      return this.#threads.includes(threadId);
    }
  }
  expect(await orchestrator.prune(new Retention())).toEqual({ pruned: 0, kept: 1 });
  const given = { settledBefore: clock.now() - 3 * day };
  const done = orchestrator.prune(given);
  given.settledBefore = clock.now();
  expect(await done).toEqual({ pruned: 0, kept: 0 });
});

it('removes threads that settled before a time, and archives ledgers that verify', async () => {
  const { orchestrator, clock } = scenario();
  const old = await orchestrator.submit(request());
  const follower = await orchestrator.submit(request({}, old.threadId));
  const asking = await orchestrator.submit(request({ asks: true }));
  await settle();
  await clock.advance(2 * day);
  const recent = await orchestrator.submit(request());
  await settle();
  const archive = new Map<string, string>();
  const settledBefore = clock.now() - day;
  const done = await orchestrator.prune({
    settledBefore,
    archive: (lines, taskId) => void archive.set(taskId, lines),
  });
  expect(done).toEqual({ pruned: 2, kept: 0 });
  expect((await orchestrator.list()).map(({ taskId }) => taskId)).toEqual([asking.taskId, recent.taskId]);
  expect([...archive.keys()]).toEqual([old.taskId, follower.taskId]);
  for (const [taskId, lines] of archive) {
    const records = fromJsonLines(lines);
    expect((await verifyLedger(records)).findings).toEqual([]);
    const error: unknown = await orchestrator.task(taskId).catch((thrown: unknown) => thrown);
    expect(isCharterError(error, 'task_pruned') && error.details).toEqual({
      taskId,
      head: records.at(-1)?.hash,
      size: records.length,
      prunedAt: expect.any(Number),
    });
  }
  expect(await orchestrator.prune({ settledBefore })).toEqual({ pruned: 0, kept: 0 });
});

it('keeps a thread with an open or a newer task, and what it is told to keep', async () => {
  const { orchestrator, clock } = scenario();
  const [shared, disputed] = [await orchestrator.submit(request()), await orchestrator.submit(request())];
  await settle();
  await clock.advance(2 * day);
  await orchestrator.submit(request({}, shared.threadId));
  await settle();
  const keep = ({ taskId }: { readonly taskId: string }): boolean => taskId === disputed.taskId;
  expect(await orchestrator.prune({ settledBefore: new Date(clock.now() - day), keep })).toEqual({
    pruned: 0,
    kept: 2,
  });
  expect(await orchestrator.list()).toHaveLength(3);
});

it('refuses the key, the thread and the question of a pruned task, and says why', async () => {
  const { orchestrator } = scenario();
  const { taskId, threadId } = await orchestrator.submit(request({ asks: true }), { key: 'k' });
  await settle();
  const [asked] = await orchestrator.inbox();
  const target = asked?.message.messageId ?? '';
  await orchestrator.cancel(taskId, { by: 'dana' });
  await settle();
  await orchestrator.prune({ settledBefore: Date.parse('2100-01-01') });
  expect(await codeOf(orchestrator.submit(request({ asks: true }), { key: 'k' }))).toBe('task_pruned');
  expect(await codeOf(orchestrator.submit(request({}, threadId)))).toBe('thread_refused');
  expect(await codeOf(orchestrator.respond({ type: 'approve', target }, { by: 'dana' }))).toBe('task_pruned');
  expect(await codeOf(orchestrator.ledger(taskId))).toBe('task_pruned');
  expect(await codeOf(orchestrator.settled(taskId))).toBe('task_pruned');
});

it('removes what tasks keep beside their ledgers, and nothing of one that stays', async () => {
  const blobs = memoryBlobs();
  const kept = new Set<string>();
  const store = {
    ...blobs,
    put: async (taskId: string, digest: string, bytes: Uint8Array) => {
      kept.add(digest);
      await blobs.put(taskId, digest, bytes);
    },
    erase: async (taskId: string, digests: readonly string[]) => {
      for (const digest of digests) kept.delete(digest);
      await blobs.erase(taskId, digests);
    },
  };
  const { orchestrator, store: tasks } = scenario({ options: { blobs: { store, above: 100 } } });
  await orchestrator.submit(request());
  await settle();
  expect(kept.size).toBe(1);
  const settledBefore = Date.parse('2100-01-01');
  const held = vi.spyOn(tasks, 'prune').mockResolvedValue(false);
  expect(await orchestrator.prune({ settledBefore })).toEqual({ pruned: 0, kept: 1 });
  expect(kept.size).toBe(1);
  held.mockRestore();
  expect(await orchestrator.prune({ settledBefore })).toEqual({ pruned: 1, kept: 0 });
  expect(kept.size).toBe(0);
});

it('goes on where it was interrupted, through more tasks than a page', async () => {
  const { orchestrator } = scene({
    model: [plan(), draft()].concat(Array.from({ length: 500 }, () => [plan(), draft()]).flat()),
  });
  const count = 230;
  for (let nth = 0; nth < count; nth += 1) {
    await orchestrator.submit(request());
    await settle();
  }
  const stop = new AbortController();
  const seen: number[] = [];
  const settledBefore = Date.parse('2100-01-01');
  const stopped = orchestrator.prune({
    settledBefore,
    signal: stop.signal,
    onProgress: ({ pruned }) => {
      seen.push(pruned);
      if (pruned > 50) stop.abort(new Error('enough'));
    },
  });
  await expect(stopped).rejects.toThrow('enough');
  const left = (await orchestrator.counts()).tasks;
  expect(left).toBe(count - (seen.at(-1) ?? 0));
  expect(await orchestrator.prune({ settledBefore })).toEqual({ pruned: left, kept: 0 });
});

it.each([
  ['no time', {}, '/settledBefore'],
  ['a text', { settledBefore: '2026' }, 'must be a date or a number'],
  ['an unknown member', { settledBefore: 1, older: 1 }, 'unknown key "older"'],
])('refuses %s', async (_, given, message) => {
  const { orchestrator } = scenario();
  const error: unknown = await orchestrator.prune(given as never).catch((thrown: unknown) => thrown);
  expect(isCharterError(error, 'document_invalid') && error.message).toContain(message);
});
