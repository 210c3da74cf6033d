import type { SteadyClock } from './steady-clock.ts';

/** Lets at most so many run at once; the others wait in order. What is aborted lets go of its slot, also where it goes on. */
export const createSlots = (most: number) => {
  let free = most;
  const waiting: (() => void)[] = [];
  const taken = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  /** Throws the signal's reason, and does nothing, where the signal came before the slot. */
  return async <Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> => {
    await taken();
    let isHeld = true;
    const letGo = (): void => {
      if (isHeld) release();
      isHeld = false;
    };
    signal.addEventListener('abort', letGo, { once: true });
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      signal.removeEventListener('abort', letGo);
      letGo();
    }
  };
};

export type Slots = ReturnType<typeof createSlots>;

/** What work comes to within so many milliseconds; rejects where it takes longer. */
export const inTime = <Result>(
  { wakeAfter }: Pick<SteadyClock, 'wakeAfter'>,
  milliseconds: number,
  work: Promise<Result>,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const stop = wakeAfter(milliseconds, () => reject(new Error('no answer in time')));
    work.then(resolve, reject).finally(stop);
  });
