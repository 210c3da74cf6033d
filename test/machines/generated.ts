import { seed } from '../share.ts';

/** How often a property is tried, and from which seed: FC_RUNS and FC_SEED replay what a failure prints. */
export const runs = (least = 1000) => {
  const { FC_RUNS } = process.env;
  return {
    numRuns: Math.max(least, Number(FC_RUNS ?? 0)),
    seed,
    ...(FC_RUNS !== undefined && { interruptAfterTimeLimit: 20_000 }),
  };
};
