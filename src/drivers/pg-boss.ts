import * as z from 'zod';
import { lazily } from '../boundary/lazily.ts';
import type { Orchestrator } from '../core/shell/surface.ts';
import { Callable, checkDefinition } from '../define/definition.ts';
import { isCharterError } from '../errors.ts';
import { warnWithout } from '../boundary/warn-of-error.ts';

/** A job of a task. */
interface TaskJob {
  readonly taskId: string;
}

/** What is used of `PgBoss` of `pg-boss` 10 and later, after its `start()`. */
export interface Boss {
  readonly getQueue: (name: string) => Promise<unknown>;
  readonly createQueue: (name: string, options: never) => Promise<unknown>;
  readonly send: (name: string, data: object, options: { readonly singletonKey: string }) => Promise<unknown>;
  readonly work: (
    name: string,
    options: { readonly batchSize: number; readonly pollingIntervalSeconds: number },
    handler: (jobs: { readonly data: TaskJob; readonly signal?: AbortSignal }[]) => Promise<unknown>,
  ) => Promise<string>;
  readonly offWork: (name: string) => Promise<unknown>;
}

/** How the jobs of tasks are made and performed. */
export interface PgBossOptions {
  /** The name of the queue; `agentcharter` by default. If there is none, one is created: at most one job of a task waits, and one that fails is tried again. */
  readonly queue?: string;
  /** The tasks that this process performs at once; 8 by default. 0 for a process that only makes jobs. */
  readonly concurrency?: number;
  /** Milliseconds between two looks for tasks that need a job, and for jobs; 500 by default, at least 500. */
  readonly every?: number;
  /** Called with errors of the queue and of tasks. By default, a Node.js warning. */
  readonly onError?: (error: unknown) => void;
}

const method = { error: 'must be a started `PgBoss` of pg-boss 10 or later' };

const Given = lazily(() =>
  z.strictObject({
    boss: z.looseObject(
      { getQueue: Callable, createQueue: Callable, send: Callable, work: Callable, offWork: Callable },
      method,
    ),
    queue: z.string().min(1).optional(),
    concurrency: z.int().min(0).max(1_000).optional(),
    every: z.number().min(0).optional(),
    onError: Callable.optional(),
  }),
);

/** The tasks that are given a job at one look. */
const most = 1_000;

/** A queue is made anew by no one that finds it; `short` has at most one job of a key that waits. */
const policy = { policy: 'short', retryLimit: 10, retryDelay: 1, retryBackoff: true } as const;

/**
 * Performs the tasks of an orchestrator as jobs of pg-boss, which decides when: create the orchestrator with `takes: false`. Each process looks for
 * tasks that no one performs, and makes a job for each. A job that is delivered twice is refused by the fence, and ends. Resolves to a function that
 * ends the work here: calls under way end, and other processes go on. Call it before you close the orchestrator. Throws
 * `definition_invalid`.
 */
export const startPgBoss = async (
  orchestrator: Pick<Orchestrator, 'perform' | 'stuck'>,
  boss: Boss,
  options: PgBossOptions = {},
): Promise<() => Promise<void>> => {
  checkDefinition('startPgBoss', null, Given(), { boss, ...options });
  const { queue = 'agentcharter', concurrency = 8, every = 500 } = options;
  const { onError = warnWithout('a task was not performed') } = options;
  if ((await boss.getQueue(queue)) == null)
    await boss.createQueue(queue, { name: queue, ...policy } as never); // 10 wants the name in both
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  const underWay = new Set<Promise<unknown>>();

  const look = async (): Promise<void> => {
    for (const { taskId } of await orchestrator.stuck({ after: 0, limit: most }))
      if (!stopped.signal.aborted) await boss.send(queue, { taskId }, { singletonKey: taskId });
  };

  const wind = (): void => {
    if (stopped.signal.aborted) return;
    looking = look().catch(onError);
    void looking.then(() => {
      if (!stopped.signal.aborted) timer = setTimeout(wind, every);
    });
  };

  const performed = async (taskId: string, signal: AbortSignal): Promise<void> => {
    try {
      await orchestrator.perform(taskId, { signal });
    } catch (error) {
      if (isCharterError(error, 'task_held')) return; // another one performs it, and a later look finds what is left
      if (!signal.aborted) onError(error);
      throw error;
    }
  };

  const handle = async (jobs: { readonly data: TaskJob; readonly signal?: AbortSignal }[]): Promise<void> => {
    for (const { data, signal } of jobs) {
      const ends = signal === undefined ? stopped.signal : AbortSignal.any([signal, stopped.signal]);
      const work = performed(data.taskId, ends);
      underWay.add(work);
      await work.finally(() => underWay.delete(work));
    }
  };

  const pollingIntervalSeconds = Math.max(every, 500) / 1_000;
  for (let worker = 0; worker < concurrency; worker += 1)
    await boss.work(queue, { batchSize: 1, pollingIntervalSeconds }, handle);
  wind();

  return async () => {
    stopped.abort(new Error('this process performs no more'));
    if (timer !== null) clearTimeout(timer);
    await looking;
    await boss.offWork(queue);
    await Promise.allSettled(underWay);
  };
};
