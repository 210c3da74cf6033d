/** Which mutant of the charts is active, and what an observer learns of the code that runs. */
interface Switch {
  /** The number of the mutant that runs; 0 runs the charts as they are. */
  active: number;
  /** The numbers of the places that ran; `null` where no one observes. */
  reached: Set<number> | null;
  /** How often any place ran. */
  steps: number;
  /** How many steps a mutant may make before it counts as endless. */
  mostSteps: number;
}

const key = Symbol.for('agentcharter.test.chart-mutants');

/** One switch of a thread, however often this module is loaded in it. */
const shared = globalThis as unknown as Record<symbol, Switch | undefined>;

/** The switch of this thread. */
export const mutantSwitch: Switch = (shared[key] ??= {
  active: 0,
  reached: null,
  steps: 0,
  mostSteps: Infinity,
});

const step = (): void => {
  mutantSwitch.steps += 1;
  if (mutantSwitch.steps > mutantSwitch.mostSteps) throw new Error('no end');
};

/** Whether the code at this place is the mutant of this number. Instrumented sources ask it. */
export const isActive = (number: number): boolean => {
  step();
  mutantSwitch.reached?.add(number);
  return mutantSwitch.active === number;
};

/** Whether one of the mutants from this number to that is active. */
export const isAnyActive = (first: number, last: number): boolean => {
  const { reached, active } = mutantSwitch;
  step();
  if (reached !== null) for (let number = first; number <= last; number += 1) reached.add(number);
  return active >= first && active <= last;
};

/** What ran while something was done with the charts as they are. */
export interface Observation {
  readonly reached: readonly number[];
  readonly steps: number;
}

/** Runs something with the charts as they are, and returns which places it reaches. */
export const observed = async (work: () => unknown): Promise<Observation> => {
  const reached = new Set<number>();
  Object.assign(mutantSwitch, { active: 0, reached, steps: 0, mostSteps: Infinity });
  await work();
  mutantSwitch.reached = null;
  return { reached: [...reached], steps: mutantSwitch.steps };
};

/** Runs something with a mutant, which may take ten times the steps of the charts as they are, and some. */
export const withMutant = async <Result>(
  number: number,
  steps: number,
  work: () => Result | Promise<Result>,
): Promise<Result> => {
  Object.assign(mutantSwitch, { active: number, steps: 0, mostSteps: 10 * steps + 1_000_000 });
  try {
    return await work();
  } finally {
    Object.assign(mutantSwitch, { active: 0, mostSteps: Infinity });
  }
};
