import { v7 } from 'uuid';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';

/** The longest delay of a platform timer; a later wake-up takes several. */
const longest = 2 ** 31 - 1;

/** The clock of the machine: system time, which can be set, and a monotonic clock, which cannot. */
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

/** Milliseconds after which a timer checks a monotonic clock again. */
export const recheckInterval = 10_000;

/** Reads the monotonic clock in milliseconds; only differences are meaningful. */
export const monotonicOf = (clock: Clock): number => clock.monotonic?.() ?? clock.now();

/**
 * Calls `wake` once `remaining` is 0 or less; checks again after an early timer. Returns a function that cancels it.
 */
export const wakeWhen = (
  clock: Clock,
  remaining: () => number,
  wake: () => void,
  atMost: () => number = () => (clock.monotonic === undefined ? Infinity : recheckInterval),
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

/**
 * Calls `wake` once after so many milliseconds, independent of changes of the system time. Returns a function that
 * cancels it.
 */
export const wakeAfter = (clock: Clock, milliseconds: number, wake: () => void): (() => void) => {
  const ends = monotonicOf(clock) + milliseconds;
  return wakeWhen(clock, () => ends - monotonicOf(clock), wake);
};

/** Version 7 UUIDs, and random trace ids. */
export const randomIds: Ids = {
  uuid: () => v7(),
  traceId: () => crypto.randomUUID().replaceAll('-', ''),
};

/** Returns an instant in RFC 3339, UTC. */
export const rfc3339 = (at: number): string => new Date(at).toISOString();
