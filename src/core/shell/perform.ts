import { CharterError } from '../../base/errors.ts';
import type { Environment } from './environment.ts';
import type { Rested } from './operator-surface.ts';
import type { TaskCache } from './task-cache.ts';
import { closing } from './task-errors.ts';

/** Milliseconds between two looks whether a task rests. */
const pause = 20;

const performed = (taskId: string): CharterError<'task_held'> => {
  const message = `task ${taskId} is being performed, by another call or process: try again later`;
  return new CharterError('task_held', message, { taskId });
};

const notHere = (taskId: string): CharterError<'not_found'> => {
  const message = `task ${taskId} cannot be performed here: expected an owner with its task class, its tools, its agent and its version of the chart`;
  return new CharterError('not_found', message, { kind: 'task', id: taskId, known: [] });
};

/**
 * Creates what performs one task until it rests, under a hold of its own. When the signal aborts, calls under way end,
 * and the task is let go.
 */
export const createPerform = (
  { store, holds, clock, isOwner }: Environment,
  cache: TaskCache,
  isStopped: () => boolean,
) => {
  const isLeased = store.lease !== Infinity;
  const nextLook = (): Promise<void> =>
    new Promise((resolve) => void clock.wakeAfter(pause, () => resolve()));

  const standOf = async (taskId: string, next: number | null): Promise<Rested> => {
    const [entry] = await store.taskIndex({ taskId });
    if (entry === undefined) throw await cache.unknown(taskId);
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
      // who performs it must be free for its child, which may need a call of its own; it stays held, and goes on here
      if (cache.parents().some((task) => task.taskId === taskId)) return next;
      await nextLook();
    }
  };

  /** Takes a task that has something to do; returns `false` if it has nothing. */
  const take = async (taskId: string): Promise<boolean> => {
    for (let attempt = 1; ; attempt += 1) {
      if ((await holds.takeOne(taskId)).length > 0) return true;
      if (!(await standOf(taskId, null)).isOwed) return false;
      const copy = await store.transfer.readTask(taskId);
      if (copy?.isHeld === true) throw performed(taskId);
      if (attempt === 2) throw notHere(taskId); // no one had it, twice
    }
  };

  return async (taskId: string, signal?: AbortSignal): Promise<Rested> => {
    signal?.throwIfAborted();
    if (!isOwner) throw notHere(taskId);
    if (isLeased && !isHeld(taskId) && !(await take(taskId)))
      return standOf(taskId, (await store.transfer.readTask(taskId))?.deadlines[0]?.at ?? null);
    try {
      await cache.adopt(taskId);
    } catch (error) {
      await letGo(cache.handOver([taskId]));
      throw error;
    }
    return standOf(taskId, await rest(taskId, signal));
  };
};
