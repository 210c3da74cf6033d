import type { Load } from '../../base/ports/stats.ts';
import type { SteadyClock } from './steady-clock.ts';
import type { WorkSignal } from './work-signal.ts';

/** Resolves in a later turn of the event loop, each call in a turn of its own. */
export const createYield = (): (() => Promise<void>) => {
  let last = Promise.resolve();
  return () => (last = last.then(() => new Promise((resolve) => void setImmediate(resolve))));
};

/**
 * Creates a limiter that runs at most `most` tasks at once; the others wait in order, and each waits for `begin` before it
 * begins. Aborted work gives up its slot, or its place among those that wait, at once.
 */
export const createSlots = (most: number, begin: (() => Promise<void>) | null = null) => {
  let free = most;
  const waiting = new Set<() => void>();
  const turn = (signal: WorkSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = signal.onAbort(() => {
        waiting.delete(next);
        reject(signal.reason);
      });
      const next = (): void => {
        leave();
        resolve();
      };
      waiting.add(next);
    });
  const release = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  /** Waits for a slot, and returns a function that gives it back. If the signal aborts first, throws its reason. */
  const take = async (signal: WorkSignal): Promise<() => void> => {
    signal.throwIfAborted();
    if (free > 0) free -= 1;
    else await turn(signal);
    let isHeld = true;
    const releaseOnce = (): void => {
      stopFollowing();
      if (isHeld) release();
      isHeld = false;
    };
    const stopFollowing = signal.onAbort(releaseOnce);
    try {
      if (begin !== null) await begin();
      signal.throwIfAborted();
      signal.begin();
    } catch (error) {
      releaseOnce();
      throw error;
    }
    return releaseOnce;
  };
  /** Runs work in a slot. If the signal aborts first, throws its reason without running. */
  const run = async <Result>(work: () => Promise<Result>, signal: WorkSignal): Promise<Result> => {
    const release = await take(signal);
    try {
      return await work();
    } finally {
      release();
    }
  };
  /** How many slots there are, how many are in use, and how much work waits for one. */
  const load = (): Load => ({ most, used: most - free, waiting: waiting.size });
  return Object.assign(run, { take, load });
};

export type Slots = ReturnType<typeof createSlots>;

/** Returns the result of work, or rejects after a timeout in milliseconds. */
export const inTime = <Result>(
  { wakeAfter }: Pick<SteadyClock, 'wakeAfter'>,
  milliseconds: number,
  work: Promise<Result>,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const stop = wakeAfter(milliseconds, () => reject(new Error('no answer in time')));
    work.then(resolve, reject).finally(stop);
  });
