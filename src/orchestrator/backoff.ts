import type { SteadyClock } from './steady-clock.ts';

/** Returns the backoff for a store that fails: one second at first, doubled up to a minute. */
export const createBackoff = ({ wakeAfter }: Pick<SteadyClock, 'wakeAfter'>) => {
  let failures = 0;
  const pauses = new Set<() => void>();
  const delay = (): number => Math.min(2 ** Math.max(0, failures - 1), 60) * 1_000;
  return {
    delay,
    failed: (): void => void (failures += 1),
    succeeded: (): void => void (failures = 0),
    pause: (): Promise<void> =>
      new Promise((resolve) => {
        const cancel = wakeAfter(delay(), () => resume());
        const resume = (): void => {
          pauses.delete(resume);
          cancel();
          resolve();
        };
        pauses.add(resume);
      }),
    /** Ends every pause at once. */
    end: (): void => {
      for (const resume of pauses) resume();
    },
  };
};

export type Backoff = ReturnType<typeof createBackoff>;
