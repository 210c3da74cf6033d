/** Microseconds of a piece of work: of this process, garbage collection included, and of the clock on the wall. */
export interface Spent {
  readonly cpu: number;
  readonly wall: number;
}

export const spent = async (work: () => unknown): Promise<Spent> => {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpu: user + system, wall: (performance.now() - wall) * 1_000 };
};

export const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

/** Runs work as often as `runs` says, with as many at once as `atOnce` says. */
export const runAtOnce = async (runs: number, atOnce: number, work: () => Promise<void>): Promise<void> => {
  let left = runs;
  const drain = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, drain));
};

export const shuffled = <Item>(items: readonly Item[]): readonly Item[] =>
  items
    .map((item) => ({ item, rank: Math.random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
