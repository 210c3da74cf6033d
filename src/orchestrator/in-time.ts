import type { Clock } from '../ports/clock.ts';

/** What work comes to within so many milliseconds; rejects where it takes longer. */
export const inTime = <Result>(
  { now, wakeAt }: Clock,
  milliseconds: number,
  work: Promise<Result>,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    const stop = wakeAt(now() + milliseconds, () => reject(new Error('no answer in time')));
    work.then(resolve, reject).finally(stop);
  });
