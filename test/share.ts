const { ALL, FC_RUNS, FC_SEED, SLOW } = process.env;

/** This is `npm test`, and no longer run. */
const isQuick = [ALL, FC_RUNS, SLOW].every((value) => value === undefined);

/** How often something is tried: `few` times in `npm test`, `many` times in `npm run test:slow` and the nightly run. */
export const share = (many: number, few: number): number => (isQuick ? few : many);

/** Where random cases begin: at the same in each run but the nightly one. FC_SEED repeats one that failed. */
export const seed = Number(FC_SEED ?? (FC_RUNS === undefined ? 1 : Date.now() % 2 ** 31));
