import { v7 } from 'uuid';
import * as z from 'zod';
import { Uuid } from '../../../schema/index.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import type { Clock } from '../../base/ports/clock.ts';
import type { Ids } from '../../base/ports/ids.ts';
import type { Store } from '../../base/ports/store.ts';

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

/** Random bytes for the next UUIDs, drawn together: each draw is a system call. */
const stock = new Uint8Array(4_096);
let used = stock.length;
let latestMilliseconds = -Infinity;
let counter = 0;

/** Returns a version 7 UUID that sorts after all earlier ones of this process (RFC 9562 6.2, method 1). */
const uuidv7 = (): string => {
  if (used === stock.length) {
    crypto.getRandomValues(stock);
    used = 0;
  }
  const random = stock.subarray(used, used + 16);
  used += random.length;
  const now = Date.now();
  if (now > latestMilliseconds) {
    latestMilliseconds = now;
    counter = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1; // room to count up
  } else counter += 1;
  return v7({ random, msecs: latestMilliseconds, seq: counter });
};

/** Version 7 UUIDs, and random trace ids. */
export const randomIds: Ids = {
  uuid: uuidv7,
  traceId: () => crypto.randomUUID().replaceAll('-', ''),
};

const TraceId = z
  .string()
  .regex(/^(?!0{32})[0-9a-f]{32}$/, 'expected 32 lower-case hex digits, not all zero');

/** Returns the identifiers of a host, checked. They throw `document_invalid` for anything else than they promise. */
export const checkedIds = ({ uuid, traceId }: Ids): Ids => ({
  uuid: () => parseDocument('ids.uuid()', Uuid, uuid()),
  traceId: () => parseDocument('ids.traceId()', TraceId, traceId()),
});

/** Returns a clock with the time of a store, or that of the machine until the store has answered. */
export const storeClock = (store: Pick<Store, 'now'>, clock: Clock): Clock => {
  const now = (): number => store.now() ?? clock.now();
  return { ...clock, now, wakeAt: (at, wake) => clock.wakeAt(clock.now() + (at - now()), wake) };
};
