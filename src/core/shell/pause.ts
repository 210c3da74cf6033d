import type { Clock } from '../../base/ports/clock.ts';
import { wakeAfter } from './clock.ts';

/**
 * Waits so many milliseconds, independent of changes of the system time. Throws the signal's reason if it aborts
 * first.
 */
export const pause = (clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const wake = (): void => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    const cancel = wakeAfter(clock, milliseconds, wake);
    const stop = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
