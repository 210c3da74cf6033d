import { CharterError } from '../../errors.ts';
import type { Environment } from './environment.ts';
import type { Rested } from './operator-surface.ts';
import type { TaskCache } from './task-cache.ts';
import { closing } from './task-errors.ts';

type Ports = Pick<Environment, 'store' | 'holds' | 'clock' | 'isOwner'>;

/** Milliseconds between two looks whether a task rests. */
const pause = 20;

const notTaken = (taskId: string): CharterError<'task_held'> => {
  const message = `task ${taskId} is performed by another process, or this one is a guest, or has not its task class, its tools or its agent: try again later, or elsewhere`;
  return new CharterError('task_held', message, { taskId });
};

/**
 * Creates what performs one task until it rests, under a hold of its own. When the signal aborts, calls under way end,
 * and the task is let go.
 */
export const createPerform = (
  { store, holds, clock, isOwner }: Ports,
  cache: TaskCache,
  isStopped: () => boolean,
) => {
  const isLeased = store.lease !== Infinity;
  const nextLook = (): Promise<void> =>
    new Promise((resolve) => void clock.wakeAfter(pause, () => resolve()));

  const standOf = async (taskId: string, next: number | null): Promise<Rested> => {
    const [entry] = await store.taskIndex({ taskId });
    if (entry === undefined) throw cache.unknown(taskId);
    const { isSettled, isOwed } = entry;
    return Object.freeze({ taskId, isSettled, isOwed, next: isSettled ? null : next });
  };

  /** Lets a task go that rests, or whose work has ended. Returns whether it did. */
  const letGo = async (rested: readonly string[]): Promise<boolean> => {
    if (rested.length === 0) return false;
    if (isLeased) await holds.letGo(rested);
    return true;
  };

  const isHeld = (taskId: string): boolean => holds.fenceOf(taskId) !== null;

  /** Begins no more work on a task, and lets it go once the calls under way have ended. */
  const giveUp = async (taskId: string): Promise<void> => {
    await cache
      .all()
      .find(({ task }) => task.taskId === taskId)
      ?.worker.drain(closing());
    while (isHeld(taskId) && !isStopped() && !(await letGo(cache.handOver([taskId])))) await nextLook();
  };

  /** Returns the next deadline of a task, once it rests here, or is held no longer. */
  const rest = async (taskId: string, signal: AbortSignal | undefined): Promise<number | null> => {
    for (;;) {
      if (isStopped()) throw closing();
      if (signal?.aborted === true) {
        void giveUp(taskId).catch(() => {}); // a hold that cannot be let go lapses
        throw signal.reason;
      }
      const next = cache.peek(taskId)?.deadlines[0]?.at ?? null;
      if (!isHeld(taskId) || (await letGo(cache.release([taskId])))) return next;
      await nextLook();
    }
  };

  return async (taskId: string, signal?: AbortSignal): Promise<Rested> => {
    signal?.throwIfAborted();
    if (!isOwner) throw notTaken(taskId);
    if (isLeased && !isHeld(taskId)) {
      const [taken] = await holds.takeOne(taskId);
      const stand = taken === undefined ? await standOf(taskId, null) : null;
      if (stand?.isOwed === true) throw notTaken(taskId);
      if (stand !== null) return stand;
    }
    try {
      await cache.adopt(taskId);
    } catch (error) {
      await letGo(cache.handOver([taskId]));
      throw error;
    }
    return standOf(taskId, await rest(taskId, signal));
  };
};
