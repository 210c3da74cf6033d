import * as z from 'zod';
import { Callable } from '../../base/define/definition.ts';
import { lazily } from '../../base/boundary/lazily.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { referencesIn } from '../../base/canonical/blobs.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { toJsonLines } from '../ledger/json-lines.ts';
import type { StoredTask, TaskIndexEntry } from '../../base/ports/store.ts';
import type { TaskSummary } from '../kernel/summary.ts';
import type { Environment } from './environment.ts';
import type { Pruned, PruneOptions } from './operator-surface.ts';
import { createYield } from './slots.ts';
import { readStoredSummaries } from './stored-summary.ts';

/** The tasks that are looked at in one page. */
const page = 100;

/** The tasks that are removed in one transaction, unless a thread has more. */
const atOnce = 8;

const PruneSchema = lazily(() =>
  z.strictObject({
    settledBefore: z.union([z.date(), z.number().min(0)]),
    keep: Callable.optional(),
    archive: Callable.optional(),
    onProgress: Callable.optional(),
    signal: z.instanceof(AbortSignal, { error: 'must be an AbortSignal' }).optional(),
  }),
);

/** Returns the digests of what a task keeps beside its ledger. */
const blobsOf = ({ records, emissions }: StoredTask): readonly string[] => [
  ...new Set(
    [
      ...records.flatMap(({ brought }) => Object.values(brought)),
      ...emissions.map(({ document }) => document),
    ]
      .flatMap(referencesIn)
      .map(({ digest }) => digest),
  ),
];

/** Reads the options of a prune, which may be methods. Throws `document_invalid`. */
export const readPruneOptions = (given: PruneOptions) => {
  const { settledBefore, signal } = parseDocument('prune', PruneSchema(), given);
  const [keep, archive, onProgress] = [
    given.keep?.bind(given),
    given.archive?.bind(given),
    given.onProgress?.bind(given),
  ];
  return { before: Number(settledBefore), keep, archive, onProgress, signal };
};

/** Creates what removes settled tasks for good, thread by thread. */
export const createPrune = (
  { store, blobs, clock, emit }: Pick<Environment, 'store' | 'blobs' | 'clock' | 'emit'>,
  forget: (taskIds: readonly string[]) => void,
) => {
  const turn = createYield();

  const summariesOf = (entries: readonly TaskIndexEntry[]): readonly TaskSummary[] =>
    readStoredSummaries(entries, (event) => emit('error', event)).map(({ summary }) => summary);

  /** Whether all tasks of a thread settled before a time, and none is to be kept. */
  const isOver = async (
    thread: readonly TaskIndexEntry[],
    before: number,
    keep: PruneOptions['keep'],
  ): Promise<boolean> => {
    if (thread.some(({ isSettled, at }) => !isSettled || at >= before)) return false;
    if (keep === undefined) return true;
    const summaries = summariesOf(thread);
    if (summaries.length < thread.length) return false; // one is damaged: an operator looks at it first
    for (const summary of summaries) if (await keep(summary)) return false;
    return true;
  };

  /** Archives a task; returns the digests of what it keeps beside its ledger. */
  const leave = async (taskId: string, archive: PruneOptions['archive']): Promise<readonly string[]> => {
    if (archive === undefined && blobs === null) return [];
    const task = await store.load(taskId);
    if (task === undefined) return [];
    await archive?.(toJsonLines(task.records), taskId);
    return blobs === null ? [] : blobsOf(task);
  };

  return async (options: ReturnType<typeof readPruneOptions>): Promise<Pruned> => {
    const { before, keep, archive, onProgress, signal } = options;
    const done = { pruned: 0, kept: 0 };
    const seen = new Set<string>();
    let batch: TaskIndexEntry[] = [];
    /** What the tasks that are collected keep beside their ledgers. */
    const values = new Map<string, readonly string[]>();

    const eraseValues = async (taskId: string): Promise<void> => {
      const digests = values.get(taskId) ?? [];
      if (digests.length > 0) await blobs?.store.erase(taskId, digests);
    };

    /** Removes what is collected; returns the ids of the tasks that are gone. */
    const flush = async (): Promise<readonly string[]> => {
      const tasks = Object.freeze(batch);
      batch = [];
      if (tasks.length === 0) return [];
      await turn(); // others come between two transactions
      const threads = new Map<string, TaskIndexEntry[]>();
      for (const task of tasks) threads.set(task.threadId, [...(threads.get(task.threadId) ?? []), task]);
      const gone: TaskIndexEntry[] = [];
      if (await store.prune(tasks, clock.now())) gone.push(...tasks);
      else if (threads.size > 1)
        for (const thread of threads.values())
          if (await store.prune(Object.freeze(thread), clock.now())) gone.push(...thread);
      const ids = gone.map(({ taskId }) => taskId);
      forget(ids);
      for (const id of ids) await eraseValues(id);
      done.pruned += gone.length;
      done.kept += tasks.length - gone.length;
      values.clear();
      onProgress?.({ ...done });
      return ids;
    };

    /** Collects the tasks of a thread; returns the ids of tasks that are gone. */
    const look = async (threadId: string): Promise<readonly string[]> => {
      const thread = deepFreeze(await store.taskIndex({ threadId }));
      if (!(await isOver(thread, before, keep))) {
        done.kept += thread.filter(({ isSettled, at }) => isSettled && at < before).length;
        return [];
      }
      const gone = batch.length > 0 && batch.length + thread.length > atOnce ? await flush() : [];
      for (const { taskId } of thread) values.set(taskId, await leave(taskId, archive));
      batch.push(...thread);
      return gone;
    };

    for (let after: TaskIndexEntry | undefined; ;) {
      const query = { isSettled: true, limit: page, ...(after !== undefined && { after }) };
      const entries: readonly TaskIndexEntry[] = deepFreeze(await store.taskIndex(query));
      if (entries.length === 0) return Object.freeze(done);
      const gone = new Set<string>();
      for (const { at, threadId } of entries) {
        signal?.throwIfAborted();
        if (at >= before || seen.has(threadId)) continue;
        seen.add(threadId);
        for (const taskId of await look(threadId)) gone.add(taskId);
      }
      for (const taskId of await flush()) gone.add(taskId);
      after = entries.findLast(({ taskId }) => !gone.has(taskId)) ?? after; // the cursor is a task that stays
    }
  };
};
