import type { Clock } from '../ports/clock.ts';

/** Waits by a clock, in milliseconds; throws the signal's reason where that comes first. */
export const pause = (clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const wake = (): void => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    const cancel = clock.wakeAt(clock.now() + milliseconds, wake);
    const stop = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
