import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { taskMachine, type TaskClassInput } from '../../machines/index.ts';
import { runs } from '../machines/generated.ts';
import { play, type Chart } from './chart.ts';
import { taskClasses } from './classes.ts';
import { differenceIn } from './compare.ts';
import { fateOf } from './fate.ts';
import { brokenLimits } from './broken-limits.ts';
import { brokenRules } from './broken-rules.ts';

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
  { guard: 'appliesTo', says: true },
  { guard: 'isUndone', says: true },
  { guard: 'owesChecks', says: false },
  { guard: 'owesPolicy', says: false },
  { guard: 'isInDoubt', says: false },
  { guard: 'mustUndoWrites', says: false },
  { guard: 'isCancelled', says: false },
  { guard: 'asks', says: false },
  { guard: 'isStartOverdue', says: true },
  { guard: 'isModelOverdue', says: false },
  { guard: 'mustAssess', says: false },
  { guard: 'isOutOfTurns', says: true },
  { guard: 'isOutOfCalls', says: false },
];

const all: readonly Mutant[] = Object.keys(taskMachine.implementations.guards).flatMap((guard) => [
  { guard, says: true },
  { guard, says: false },
]);

/** Whether one of these worlds shows that a chart does not do what the model says. */
const isNoticed = (chart: Chart, worlds: readonly (readonly [TaskClassInput, number])[]): boolean =>
  worlds.some(([taskClass, number]) => {
    const story = play(chart, taskClass, fateOf(number));
    return story.isBroken || differenceIn(story) !== null;
  });

const worldsFrom = (seed: number, numRuns: number) =>
  fc.sample(fc.tuple(taskClasses, fc.nat()), { numRuns, seed });

test('a chart with a broken guard does not say what the model says', { timeout: 600_000 }, () => {
  const { numRuns, seed } = runs(1500);
  const mutants = numRuns < 10_000 ? few : all;
  const worlds = worldsFrom(seed, 1500);
  const alive = mutants.filter((mutant) => !isNoticed(broken(mutant), worlds));
  console.log(
    `model: ${mutants.length - alive.length} of ${mutants.length} broken guards noticed (FC_SEED=${seed})`,
  );
  expect(alive).toEqual([]);
  expect(mutants.length).toBeGreaterThan(10);
  const guards = Object.keys(taskMachine.implementations.guards);
  expect(mutants.map(({ guard }) => guard).filter((guard) => !guards.includes(guard))).toEqual([]);
});

test('a chart with a broken rule does not say what the model says', { timeout: 600_000 }, () => {
  const { seed } = runs(1500);
  const worlds = worldsFrom(seed, 24_000);
  const charts = [...brokenRules, ...brokenLimits];
  const alive = charts.filter(({ chart }) => !isNoticed(chart, worlds)).map(({ rule }) => rule);
  console.log(
    `model: ${charts.length - alive.length} of ${charts.length} broken rules noticed (FC_SEED=${seed})`,
  );
  expect(alive).toEqual([]);
});
