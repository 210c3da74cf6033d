const { ALL, FC_RUNS, SLOW } = process.env;

/** This is `npm test`, and no longer run. */
const isQuick = [ALL, FC_RUNS, SLOW].every((value) => value === undefined);

/** How often something is tried: `few` times in `npm test`, `many` times in `npm run test:slow` and the nightly run. */
export const share = (many: number, few: number): number => (isQuick ? few : many);
