import type { SteadyClock } from './steady-clock.ts';

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
