import { v7 } from 'uuid';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';

/** The longest delay that a timer of the platform keeps: a later wake-up is reached in several. */
const longest = 2 ** 31 - 1;

/** The machine's own clock. The hour is that of the system, which may be set; time is measured by one that nobody sets. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wakeAt: (at, wake) => {
    let timer: NodeJS.Timeout;
    const sleep = () => {
      const delay = at - Date.now();
      timer = delay > longest ? setTimeout(sleep, longest) : setTimeout(wake, Math.max(0, delay));
    };
    sleep();
    return () => clearTimeout(timer);
  },
  monotonic: () => performance.now(),
};

/** Milliseconds after which a sleeper looks at a clock again that measures time apart from the hour. */
export const lookAgain = 10_000;

/** Reads what measures time: the difference of two readings is how long something took. */
export const monotonicOf = (clock: Clock): number => clock.monotonic?.() ?? clock.now();

/** Calls `wake` once `remaining` says that no millisecond is left; asks again when it rings early. Returns what cancels it. */
export const wakeWhen = (
  clock: Clock,
  remaining: () => number,
  wake: () => void,
  atMost: () => number = () => (clock.monotonic === undefined ? Infinity : lookAgain),
): (() => void) => {
  let cancel: () => void;
  const sleep = (left: number): void => {
    const delay = Math.max(0, Math.ceil(Math.min(left, atMost())));
    cancel = clock.wakeAt(clock.now() + delay, look);
  };
  const look = (): void => {
    const left = remaining();
    if (left > 0) sleep(left);
    else wake();
  };
  sleep(remaining());
  return () => cancel();
};

/** Calls `wake` once after so many milliseconds, however the hour is set meanwhile; returns what cancels it. */
export const wakeAfter = (clock: Clock, milliseconds: number, wake: () => void): (() => void) => {
  const ends = monotonicOf(clock) + milliseconds;
  return wakeWhen(clock, () => ends - monotonicOf(clock), wake);
};

/** UUIDs of version 7, and trace ids made of random ones. */
export const randomIds: Ids = {
  uuid: () => v7(),
  traceId: () => crypto.randomUUID().replaceAll('-', ''),
};

/** An instant as documents write it (RFC 3339, UTC). */
export const rfc3339 = (at: number): string => new Date(at).toISOString();
