/** How often a property is tried, and from which seed: FC_RUNS and FC_SEED replay what a failure prints. */
export const runs = (least = 1000) => {
  const { FC_RUNS, FC_SEED } = process.env;
  const seed = FC_SEED === undefined ? Date.now() % 2 ** 31 : Number(FC_SEED);
  return { numRuns: Math.max(least, Number(FC_RUNS ?? 0)), seed, interruptAfterTimeLimit: 20_000 };
};
