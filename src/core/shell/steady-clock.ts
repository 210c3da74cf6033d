import type { Clock } from '../../base/ports/clock.ts';
import type { Now, Reading } from '../kernel/now.ts';
import { recheckInterval, wakeWhen } from './clock.ts';

/**
 * A clock that never goes back and never stops, however the system time is set.
 *
 * Deadlines of people and approvals use its `now`. Work inside the process is timed monotonically.
 */
export interface SteadyClock extends Clock {
  readonly monotonic: () => number;
  readonly read: () => Now;
  /** Calls `wake` once after so many milliseconds of monotonic time. Returns a function that cancels it. */
  readonly wakeAfter: (milliseconds: number, wake: () => void) => () => void;
  /** Calls `wake` once `remaining` is 0 or less. Returns a function that cancels it. */
  readonly wakeWhen: (remaining: (now: Reading) => number, wake: () => void) => () => void;
}

/** Milliseconds that the system time may be ahead of the monotonic clock and be accepted at once. */
const tolerance = 1_000;

/**
 * Milliseconds that a larger jump forward must last before it is accepted, unless the monotonic clock confirms it.
 */
const confirmation = 5_000;

/** A jump forward under observation: its start, and the smallest lead since then. */
interface Step {
  readonly since: number;
  readonly by: number;
}

/**
 * Wraps a clock so that its time is steady; see decision 0045. Until `isKnown`, its time is taken as it is: another source
 * of time follows.
 */
export const steadyClock = (clock: Clock, isKnown: () => boolean = () => true): SteadyClock => {
  /** Reads both clocks; without a monotonic one, the system time is read once for both. */
  const look = () => {
    const present = clock.now();
    return { present, raw: clock.monotonic?.() ?? present };
  };

  const { present: begun, raw: origin } = look(); // read first, so that later jumps are detected
  let last: Reading & { readonly raw: number } = { at: begun, monotonic: origin, raw: origin };
  let step: Step | null = null;
  let isSteady = isKnown();

  /** Returns the time after `elapsed` milliseconds: the system time, unless it jumped. */
  const timeAfter = (before: Reading, elapsed: number, present: number): number => {
    const expected = before.at + elapsed;
    const ahead = present - expected;
    if (ahead <= tolerance) {
      step = null;
      return Math.max(present, before.at + elapsed / 2); // after a jump back: half speed, until the system time has caught up
    }
    const monotonic = before.monotonic + elapsed;
    const held: Step = { since: step?.since ?? monotonic, by: Math.min(step?.by ?? ahead, ahead) };
    const hasLasted = monotonic - held.since >= confirmation;
    step = hasLasted ? null : held;
    return hasLasted ? expected + held.by : expected;
  };

  const read = (): Now => {
    const { present, raw } = look();
    const elapsed = Math.max(0, raw - last.raw);
    const at = isSteady ? timeAfter(last, elapsed, present) : present;
    const monotonic = last.monotonic + elapsed;
    isSteady ||= isKnown();
    last = { at, monotonic, raw };
    return { at: Math.floor(at), monotonic, present };
  };

  const atMost = (): number => {
    if (clock.monotonic === undefined) return Infinity;
    return step === null ? recheckInterval : confirmation;
  };
  const when: SteadyClock['wakeWhen'] = (remaining, wake) =>
    wakeWhen(clock, () => remaining(read()), wake, atMost);

  return {
    now: () => read().at,
    monotonic: () => read().monotonic,
    read,
    wakeAt: (at, wake) => when((now) => at - now.at, wake),
    wakeAfter: (milliseconds, wake) => {
      const ends = read().monotonic + milliseconds;
      return when((now) => ends - now.monotonic, wake);
    },
    wakeWhen: when,
  };
};
