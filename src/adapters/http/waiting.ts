import type { Patience } from '../../guard/run.ts';
import type { Asked } from './route.ts';

/** Waits for people up to the limit, then returns `paused`. The request can be repeated. */
export const waiting = async <Outcome>(
  { link: { gone }, patience }: Pick<Asked, 'link' | 'patience'>,
  waits: boolean | undefined,
  ask: (patience: Patience) => Promise<Outcome>,
): Promise<Outcome> => {
  if (waits !== true) return ask({ signal: gone });
  const enough = AbortSignal.timeout(patience);
  try {
    return await ask({ waits: true, signal: AbortSignal.any([gone, enough]) });
  } catch (error) {
    if (gone.aborted || !enough.aborted) throw error;
    return ask({ signal: gone });
  }
};
