import type { Clock } from '../../../src/index.ts';
import { simulatedClock } from './simulated-clock.ts';

/**
 * A clock whose hour somebody sets, on a machine that measures time evenly. Several may run on one machine, each with
 * an hour of its own.
 */
export const steppingClock = (machine: ReturnType<typeof simulatedClock> = simulatedClock()) => {
  let ahead = 0;
  const clock: Clock = {
    now: () => machine.now() + ahead,
    monotonic: () => machine.now(),
    wakeAt: (at, wake) => machine.wakeAt(at - ahead, wake), // as the timers of a platform: the delay counts
  };
  return {
    ...machine,
    ...clock,
    /** The hour moves, and no time passes: somebody sets it, or the machine was suspended. */
    step: (milliseconds: number): void => {
      ahead += milliseconds;
    },
  };
};
