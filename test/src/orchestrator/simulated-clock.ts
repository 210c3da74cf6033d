import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../../src/index.ts';

/** Lets everything run that does not wait for time: promises settle before the platform's next turn. */
export const settle = async (): Promise<void> => {
  await nextTurn();
  await nextTurn();
};

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that passes only when a test says so. */
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
    /** Time passes, and each wake-up that falls due rings at its hour. */
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
    /** Every wake-up rings before its hour, as the timers of a platform may. */
    ringEarly: async (milliseconds: number): Promise<void> => {
      const early = [...sleepers];
      sleepers.clear();
      now = Math.min(...early.map(({ at }) => at)) - milliseconds;
      for (const { wake } of early) wake();
      await settle();
    },
    /** Time passes while nobody looks, as when a machine sleeps: no wake-up rings. */
    leap: (milliseconds: number): void => {
      now += milliseconds;
    },
  };
};
