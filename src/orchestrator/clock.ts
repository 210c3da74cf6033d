import { v7 } from 'uuid';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';

/** The longest delay that a timer of the platform keeps: a later wake-up is reached in several. */
const longest = 2 ** 31 - 1;

/** The machine's own clock. */
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
};

/** UUIDs of version 7, and trace ids made of random ones. */
export const randomIds: Ids = {
  uuid: () => v7(),
  traceId: () => crypto.randomUUID().replaceAll('-', ''),
};

/** An instant as documents write it (RFC 3339, UTC). */
export const rfc3339 = (at: number): string => new Date(at).toISOString();
