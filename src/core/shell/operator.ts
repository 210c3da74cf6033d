import * as z from 'zod';
import { checkTexts } from '../../base/boundary/check-given.ts';
import { lazily } from '../../base/boundary/lazily.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { attemptLimits, skippedAttempts } from '../../base/ports/attempts.ts';
import type { Pause } from '../../base/ports/regulation.ts';
import type { Age, Stats } from '../../base/ports/stats.ts';
import type { Backlog, StalledTask } from '../../base/ports/workload.ts';
import type { Environment } from './environment.ts';
import { readStoredSummaries } from './stored-summary.ts';
import type { Operator, StuckTask } from './operator-surface.ts';
import { createPrune, readPruneOptions } from './prune.ts';
import { createPausing } from './pausing.ts';
import type { createPerform } from './perform.ts';
import { sayObstacle } from './quotas.ts';
import type { TaskCache } from './task-cache.ts';
import { CharterError } from '../../base/errors.ts';

/** Milliseconds without a record after which a task is stuck. */
const stuckAfter = 300_000;

const StuckQuery = lazily(() =>
  z.strictObject({
    after: z.number().min(0).default(stuckAfter),
    limit: z.int().min(1).max(1_000).default(100),
  }),
);

const PerformOptions = lazily(() =>
  z.strictObject({ signal: z.instanceof(AbortSignal, { error: 'must be an AbortSignal' }).optional() }),
);

const minutes = (milliseconds: number): string => {
  const count = Math.floor(milliseconds / 60_000);
  return count === 1 ? '1 minute' : `${count} minutes`;
};

/** Returns what a process needs to perform a task, in words. */
const needed = ({ needs }: StalledTask): string => {
  if (needs === null) return 'its task class and its tools';
  const { taskClass, tools, isTurn } = needs;
  const of = tools.length === 0 ? '' : ` and the tools ${tools.join(', ')}`;
  return `the task class ${taskClass}${isTurn ? ', its model or agent' : ''}${of}`;
};

/** Returns why a task is stuck, and what to do. */
const reasonOf = (
  stalled: StalledTask,
  age: number,
  isLeased: boolean,
  pauses: readonly Pause[],
): Pick<StuckTask, 'reason' | 'message'> => {
  const { attempts, needs } = stalled;
  const paused = pauses.find(({ of }) => 'taskClass' in of && of.taskClass === needs?.taskClass);
  if (paused !== undefined) return { reason: 'paused', message: sayObstacle({ paused }) };
  if (attempts >= skippedAttempts) {
    const message =
      'an operator lets it go on without the code that ended its processes, and the next process may take it at once';
    return { reason: 'process_ends', message };
  }
  if (attempts >= attemptLimits.backOff) {
    const ended = `the process that performs it ended, or stood still, ${attempts} times in a row`;
    const message = `${ended}: mend what ends it and have it tried again, or have the model, policy or verifier that it waits for skipped, so that people or the gates decide`;
    return { reason: 'process_ends', message };
  }
  if (!isLeased) {
    const message = `nothing was done for it for ${minutes(age)}: expected an owner of the store with its task class and its tools, that answers; a long call of a tool looks the same`;
    return { reason: 'no_progress', message };
  }
  const message = `no process has taken it for ${minutes(age)}: expected one with ${needed(stalled)}`;
  return { reason: 'not_taken', message };
};

const over = (taskId: string): CharterError<'not_found'> => {
  const message = `task ${taskId} is settled: there is nothing to do for it`;
  return new CharterError('not_found', message, { kind: 'open task', id: taskId, known: [] });
};

const held = (taskId: string): CharterError<'task_held'> => {
  const message = `task ${taskId} is performed by a process: wait until it has ended, or lost the lease`;
  return new CharterError('task_held', message, { taskId });
};

/** Creates what an operator uses. */
export const createOperator = (
  ports: Environment,
  cache: TaskCache,
  perform: ReturnType<typeof createPerform>,
  during: <Result>(operation: string, work: () => Promise<Result>) => Promise<Result>,
): Operator => {
  const { store, clock, emit, meter, slots, isOwner, pauses } = ports;
  const isLeased = store.lease !== Infinity;
  const prune = createPrune(ports, (taskIds) => cache.release(taskIds));

  /** Returns whether work on a task is in flight here. */
  const isUnderWay = (taskId: string): boolean =>
    cache.all().some(({ task, worker }) => task.taskId === taskId && !worker.isIdle);

  const stalledSince = async (now: number, after: number, limit: number): Promise<readonly StalledTask[]> => {
    const stalled = await store.stalled(now - after, limit);
    return stalled.filter(({ indexEntry: { taskId } }) => isLeased || !isUnderWay(taskId));
  };

  const stuck = async ({ after, limit }: z.infer<ReturnType<typeof StuckQuery>>) => {
    const now = clock.now();
    const lasting = await pauses.lasting();
    return deepFreeze(
      (await stalledSince(now, after, limit)).flatMap((stalled): readonly StuckTask[] => {
        const { indexEntry, since, attempts, isHeld } = stalled;
        const why = reasonOf(stalled, now - since, isLeased, lasting);
        return readStoredSummaries([indexEntry], (event) => emit('error', event)).map(({ summary }) => ({
          ...summary,
          since,
          attempts: attempts >= skippedAttempts ? attempts - skippedAttempts : attempts,
          isHeld,
          ...why,
        }));
      }),
    );
  };

  const stats = async (): Promise<Stats> => {
    const now = clock.now();
    const [figures, counts, stalled] = await Promise.all([
      store.figures(now),
      store.counts(),
      stalledSince(now, stuckAfter, 1_000),
    ]);
    const age = ({ tasks, since }: Backlog): Age => ({
      tasks,
      age: since === null ? 0 : Math.max(0, now - since),
    });
    const { owed, held, heldElsewhere, asking, overdue } = figures;
    const times = stalled.map(({ since }) => since);
    return deepFreeze({
      tasks: counts.tasks,
      settled: counts.settled,
      questions: counts.questions,
      owed: age(owed),
      held: isLeased || !isOwner ? held : owed.tasks,
      heldElsewhere,
      asking: { ...age(asking), tasks: counts.asking },
      overdue: age(overdue),
      stuck: age({ tasks: times.length, since: times.length === 0 ? null : Math.min(...times) }),
      slots: slots.load(),
      totals: { ...meter },
    });
  };

  /** Sets the attempts of a task, so that it is taken at once; a store with a lock has none. */
  const setAttempts = async (operation: string, taskId: string, attempts: number): Promise<void> => {
    checkTexts(operation, { taskId });
    const [entry] = await store.taskIndex({ taskId });
    if (entry === undefined) throw await cache.unknown(taskId);
    if (entry.isSettled) throw over(taskId);
    if (isLeased && !(await store.setAttempts(taskId, attempts))) throw held(taskId);
    if (!isLeased && isOwner) await cache.refresh([taskId]);
    const message = 'an operator lets it be taken at once';
    const code = attempts === 0 ? 'task_retried' : 'task_skipped';
    emit('log', { level: 'info', code, taskId, message });
  };

  return {
    ...createPausing(ports, during),
    prune: async (given) => {
      const options = readPruneOptions(given);
      return during('prune', () => prune(options));
    },
    stats: () => during('stats', stats),
    stuck: async (given = {}) => {
      const query = parseDocument('stuck', StuckQuery(), given);
      return during('stuck', () => stuck(query));
    },
    perform: async (taskId, given = {}) => {
      checkTexts('perform', { taskId });
      const { signal } = parseDocument('perform', PerformOptions(), given);
      return during('perform', () => perform(taskId, signal));
    },
    retry: (taskId) => during('retry', () => setAttempts('retry', taskId, 0)),
    skip: (taskId) => during('skip', () => setAttempts('skip', taskId, skippedAttempts)),
  };
};
