import type { Clock } from '../../../../src/index.ts';
import { simulatedClock } from './simulated-clock.ts';

/**
 * A clock with an adjustable wall clock on a machine that measures time evenly. Several clocks may run on one machine,
 * each with its own wall clock.
 */
export const steppingClock = (machine: ReturnType<typeof simulatedClock> = simulatedClock()) => {
  let ahead = 0;
  const clock: Clock = {
    now: () => machine.now() + ahead,
    monotonic: () => machine.now(),
    wakeAt: (at, wake) => machine.wakeAt(at - ahead, wake), // the delay counts, as in a platform timer
  };
  return {
    ...machine,
    ...clock,
    /** Steps the wall clock without passing time, as a correction or a suspension does. */
    step: (milliseconds: number): void => {
      ahead += milliseconds;
    },
  };
};
