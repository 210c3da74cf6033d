import * as z from 'zod';
import { lazily } from '../../base/boundary/lazily.ts';
import type { Orchestrator } from '../../core/shell/surface.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { Callable, checkDefinition, refuseDefinition } from '../../base/define/definition.ts';
import { attemptLimits, firstBackOff } from '../../base/ports/attempts.ts';
import { isCharterError } from '../../base/errors.ts';
import { warnWithout } from '../../base/boundary/warn-of-error.ts';

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
  /** Milliseconds between two looks for tasks that need a job, and for jobs: 500 to 3,600,000, by default 500. */
  readonly every?: number;
  /** Called with errors of the queue and of tasks. By default, a Node.js warning. */
  readonly onError?: (error: unknown) => void;
}

const isBoss = (value: unknown): boolean =>
  isObject(value) &&
  ['getQueue', 'createQueue', 'send', 'work', 'offWork'].every((name) => typeof value[name] === 'function');

const Given = lazily(() =>
  z.object({
    orchestrator: z.object(
      { perform: Callable, stuck: Callable },
      'expected an orchestrator, such as `guard.orchestrator`',
    ),
    boss: z.custom<Boss>(isBoss, 'expected a `PgBoss` of pg-boss 10 or later, after its `start()`'),
    options: z.strictObject({
      queue: z.string().min(1).optional(),
      concurrency: z.int().min(0).max(1_000).optional(),
      every: z.number().min(500).max(3_600_000).optional(),
      onError: Callable.optional(),
    }),
  }),
);

/** The queues that a boss performs: one that ends its work there ends that of all. */
const driven = new WeakMap<Boss, Set<string>>();

/** Milliseconds until a task gets another job at the latest, though nothing happens with it. */
const longestDelay = 15_000;

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
  checkDefinition('startPgBoss', null, Given(), { orchestrator, boss, options });
  const { queue = 'agentcharter', concurrency = 8, every = 500 } = options;
  const { onError = warnWithout('a task was not performed') } = options;
  const queues = driven.get(boss) ?? new Set();
  driven.set(boss, queues);
  if (queues.has(queue)) {
    const message = 'is performed by this boss already: take another queue, or another boss';
    refuseDefinition('startPgBoss', null, [{ path: '/options/queue', message }]);
  }
  queues.add(queue);
  try {
    await orchestrator.stuck({ limit: 1 }); // it is open, and its store answers
    if ((await boss.getQueue(queue)) == null)
      await boss.createQueue(queue, { name: queue, ...policy } as never); // 10 wants the name in both
  } catch (error) {
    queues.delete(queue);
    throw error;
  }
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  const underWay = new Set<Promise<unknown>>();

  /** The tasks that were found at the last look, and when each gets another job if nothing happens with it. */
  let found = new Map<
    string,
    { readonly since: number; readonly attempts: number; readonly delay: number; readonly at: number }
  >();

  const look = async (): Promise<void> => {
    const now = performance.now();
    const before = found;
    found = new Map();
    for (const { taskId, since, attempts } of await orchestrator.stuck({ after: 0, limit: most })) {
      const last = before.get(taskId);
      const isSame = last?.since === since && attempts >= last.attempts; // an operator may set them back
      if (isSame && now < last.at) {
        found.set(taskId, last);
        continue;
      }
      const isLeft = !isSame && attempts >= attemptLimits.backOff; // processes ended with it
      const delay = isLeft
        ? firstBackOff * 2 ** (attempts - attemptLimits.backOff)
        : Math.min(isSame ? last.delay * 2 : every, longestDelay);
      found.set(taskId, { since, attempts, delay, at: now + delay });
      if (!isLeft && !stopped.signal.aborted) await boss.send(queue, { taskId }, { singletonKey: taskId });
    }
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
      if (isCharterError(error, 'task_held')) return; // a later look finds what is left of it
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
    queues.delete(queue);
    await Promise.allSettled(underWay);
  };
};
