const numberIn = (name: string, byDefault: number): number => {
  const text = process.env[name];
  const value = text === undefined ? byDefault : Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new RangeError(`${name}: expected a whole number above 0, not ${JSON.stringify(text)}`);
};

/** How long a bench takes. The defaults are those of the figures in docs/reference/speed.md. */
const byDefault = { rounds: 3, runs: 3_000 } as const;

/** Rounds, of which each figure is the median. */
export const rounds = numberIn('BENCH_ROUNDS', byDefault.rounds);
/** Gated runs of an engine in a round; other subjects make a share of them. */
export const runs = numberIn('BENCH_RUNS', byDefault.runs);
/** Only measurements whose name contains this. */
export const only = process.env['BENCH_ONLY'] ?? '';

/** Whether every figure was measured in full, so that it may be kept. */
export const isFull = rounds >= byDefault.rounds && runs >= byDefault.runs;

/** A share of the runs, and at least one. */
export const shareOfRuns = (share: number): number => Math.max(1, Math.round(runs * share));

/** Says what is being done; everything that takes more than a second begins with it. */
export const progress = (text: string): void =>
  console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);
