import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Store } from '../../../../src/index.ts';
import type { Step } from '../../../../src/base/ports/store.ts';

/** The steps that are being written. */
const writing = new Set<Step>();

/** Returns a store on a disk whose writes `settle` waits for: each takes a turn of the event loop. */
export const awaited = (store: Store): Store => ({
  ...store,
  commit: async (step) => {
    writing.add(step);
    return store.commit(step).finally(() => writing.delete(step));
  },
});

/** Waits until all promises that need no time have settled. */
export const settle = async (): Promise<void> => {
  do {
    await nextTurn();
    await nextTurn();
  } while (writing.size > 0);
};

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that moves only when a test moves it. */
export const simulatedClock = (start = Date.parse('2026-11-21T05:00:00Z')) => {
  let now = start;
  const sleepers = new Set<Sleeper>();
  const clock: Clock = {
    now: () => now,
    wakeAt: (at, wake) => {
      const sleeper = { at, wake };
      sleepers.add(sleeper);
      return () => void sleepers.delete(sleeper);
    },
  };
  return {
    ...clock,
    /** Timers that would keep a process alive. */
    sleeping: () => sleepers.size,
    /** Advances the time; each due timer rings at its own time. */
    advance: async (milliseconds: number): Promise<void> => {
      const until = now + milliseconds;
      await settle();
      for (;;) {
        const [next] = [...sleepers].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
        if (next === undefined) break;
        sleepers.delete(next);
        now = Math.max(now, next.at);
        next.wake();
        await settle();
      }
      now = until;
      await settle();
    },
    /** Rings every timer before its time, as a platform may. */
    ringEarly: async (milliseconds: number): Promise<void> => {
      const early = [...sleepers];
      sleepers.clear();
      now = Math.min(...early.map(({ at }) => at)) - milliseconds;
      for (const { wake } of early) wake();
      await settle();
    },
    /** Advances the time without ringing a timer, as when a machine sleeps. */
    leap: (milliseconds: number): void => {
      now += milliseconds;
    },
  };
};
