import type { Clock } from '../ports/clock.ts';
import { lookAgain, wakeWhen } from './clock.ts';

/** What both clocks showed at one instant. */
export interface Reading {
  /** The hour that counts: milliseconds since 1970, never less than before. */
  readonly at: number;
  /** Milliseconds since any instant: measures how long something takes. */
  readonly monotonic: number;
}

/**
 * A clock that never goes back and never stands still, however the machine's hour is set.
 *
 * Deadlines of people and the end of approvals go by its hour. Work inside the process is measured monotonically.
 */
export interface SteadyClock extends Clock {
  readonly monotonic: () => number;
  readonly read: () => Reading;
  /** Calls `wake` once after so many milliseconds of monotonic time; returns what cancels it. */
  readonly wakeAfter: (milliseconds: number, wake: () => void) => () => void;
  /** Calls `wake` once `remaining` says that no millisecond is left; returns what cancels it. */
  readonly wakeWhen: (remaining: (now: Reading) => number, wake: () => void) => () => void;
  /** Returns by how many milliseconds the machine's clock is behind `at`; 0 if it is not. */
  readonly clockSkew: (at: number) => number;
}

/** Milliseconds by which the hour may run ahead of the monotonic clock and be believed at once. */
const tolerance = 1_000;

/** Milliseconds for which a step forward must last before it is believed, unless the monotonic clock confirms it. */
const confirmation = 5_000;

/** A step forward that is held back: since when, and the least by which the hour was ahead since. */
interface Step {
  readonly since: number;
  readonly by: number;
}

/** Holds a clock to steady time: see decision 0045. */
export const steadyClock = (clock: Clock): SteadyClock => {
  /** Both clocks of the machine; without a monotonic one, its hour is read once: it may go on between two readings. */
  const look = () => {
    const present = clock.now();
    return { present, raw: clock.monotonic?.() ?? present };
  };

  const { present: begun, raw: origin } = look(); // before anything happens: what steps later is seen to step
  let last: Reading & { readonly raw: number } = { at: begun, monotonic: origin, raw: origin };
  let step: Step | null = null;

  /** The hour after so much time: the machine's, where nothing speaks against it. */
  const hourAfter = (before: Reading, elapsed: number, present: number): number => {
    const expected = before.at + elapsed;
    const ahead = present - expected;
    if (ahead <= tolerance) {
      step = null;
      return Math.max(present, before.at + elapsed / 2); // set back: half as fast, until the machine's has caught up
    }
    const monotonic = before.monotonic + elapsed;
    const held: Step = { since: step?.since ?? monotonic, by: Math.min(step?.by ?? ahead, ahead) };
    const hasLasted = monotonic - held.since >= confirmation;
    step = hasLasted ? null : held;
    return hasLasted ? expected + held.by : expected;
  };

  const read = (): Reading => {
    const { present, raw } = look();
    const elapsed = Math.max(0, raw - last.raw);
    const [at, monotonic] = [hourAfter(last, elapsed, present), last.monotonic + elapsed];
    last = { at, monotonic, raw };
    return { at: Math.floor(at), monotonic };
  };

  const atMost = (): number => {
    if (clock.monotonic === undefined) return Infinity;
    return step === null ? lookAgain : confirmation;
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
    clockSkew: (at) => Math.max(0, at - clock.now()),
  };
};
