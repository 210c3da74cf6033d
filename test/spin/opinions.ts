import { isDeepStrictEqual } from 'node:util';
import { explored, type Size } from './exploration.ts';
import { exported } from './export.ts';
import { once } from './once.ts';
import { faulty, type Fault } from './fault.ts';
import type { Scenario } from './scenarios.ts';
import { checked, type Verdict } from './spin.ts';

/** What the two checkers say of a chart in one world. */
export interface Opinions {
  readonly spin: Verdict;
  readonly typescript: Size;
  readonly liveness: Verdict;
}

const both = async ({ machine, world }: Scenario): Promise<Opinions> => {
  const model = exported(machine, world);
  return {
    spin: await checked(model, 'safety'),
    liveness: await checked(model, 'liveness'),
    typescript: explored(machine, world),
  };
};

/** Has both checkers walk a scenario. */
export const opinionsOn = once(both);

/** Has Spin look for a fault. */
export const opinionOn = once(async (fault: Fault): Promise<Verdict> => {
  const { machine, world } = fault.in;
  const chart = fault.change === null ? (fault.broken ?? machine) : machine;
  return checked(exported(chart, world, faulty(fault)), fault.search);
});

/** Spin's ways into stable states, counted from the other checker's steps: each settled state rests once, and one is first. */
export const waysIn = ({ edges, settled }: Size): number => 1 + edges + settled;

/** Nothing is broken, every run ends, and both counted the same: states, steps, and steps of each kind. */
export const agree = ({ spin, liveness, typescript }: Opinions): boolean =>
  spin.errors === 0 &&
  liveness.errors === 0 &&
  spin.states === typescript.states &&
  spin.ways === waysIn(typescript) &&
  isDeepStrictEqual(spin.steps, typescript.steps);

/** Spin found what is wrong, and says so by the property that was to tell. */
export const isFound = ({ breaks }: Fault, { errors, broken, trail }: Verdict): boolean =>
  errors > 0 && broken === breaks && trail.length > 0;
