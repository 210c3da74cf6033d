import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { taskMachine } from '../../machines/index.ts';
import { runs } from '../machines/generated.ts';
import { play, type Chart } from './chart.ts';
import { taskClasses } from './classes.ts';
import { differenceIn } from './compare.ts';
import { fateOf } from './fate.ts';

interface Mutant {
  readonly guard: string;
  readonly says: boolean;
}

const broken = ({ guard, says }: Mutant): Chart => {
  const guards = { [guard]: () => says };
  return taskMachine.provide({ guards });
};

/** Charts that deliver, write, roll back or end as they may not. */
const few: readonly Mutant[] = [
  { guard: 'mayDeliver', says: true },
  { guard: 'mayWrite', says: true },
  { guard: 'mayExecute', says: true },
  { guard: 'mayRepair', says: true },
  { guard: 'concernsRun', says: true },
  { guard: 'isUndone', says: true },
  { guard: 'owesChecks', says: false },
  { guard: 'owesPolicy', says: false },
  { guard: 'isInDoubt', says: false },
  { guard: 'strays', says: false },
  { guard: 'isCancelled', says: false },
  { guard: 'asks', says: false },
];

const all: readonly Mutant[] = Object.keys(taskMachine.implementations.guards).flatMap((guard) => [
  { guard, says: true },
  { guard, says: false },
]);

test('a chart with a broken guard does not say what the model says', { timeout: 600_000 }, () => {
  const { numRuns, seed } = runs(1500);
  const mutants = numRuns < 10_000 ? few : all;
  const worlds = fc.sample(fc.tuple(taskClasses, fc.nat()), { numRuns: 1500, seed });
  const alive = mutants.filter((mutant) => {
    const chart = broken(mutant);
    return !worlds.some(([taskClass, number]) => {
      const story = play(chart, taskClass, fateOf(number));
      return story.isBroken || differenceIn(story) !== null;
    });
  });
  console.log(
    `model: ${mutants.length - alive.length} of ${mutants.length} broken guards noticed (FC_SEED=${seed})`,
  );
  expect(alive).toEqual([]);
  expect(mutants.length).toBeGreaterThan(10);
});
