import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { taskMachine, type TaskClassInput } from '../../machines/index.ts';
import { runs } from '../machines/generated.ts';
import { play, type Chart } from './chart.ts';
import { taskClasses } from './classes.ts';
import { differenceIn } from './compare.ts';
import { fateOf } from './fate.ts';
import { brokenBeside } from './broken-beside.ts';
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
  { guard: 'mayGoOn', says: true },
  { guard: 'mayGoOn', says: false },
  { guard: 'isDecidedBeside', says: false },
  { guard: 'isOverdueBeside', says: false },
  { guard: 'asksMore', says: false },
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

/** How many batches of worlds are played until one shows a rare fault. Most show in the first worlds. */
const batches = 8;

/** Returns the charts that no world shows to do what the model does not say. */
const unnoticed = <One extends { readonly chart: Chart }>(
  charts: readonly One[],
  seed: number,
  batch: number,
): readonly One[] => {
  let alive = charts;
  for (let at = 0; at < batches && alive.length > 0; at += 1) {
    const worlds = fc.sample(fc.tuple(taskClasses, fc.nat()), { numRuns: batch, seed: seed + at });
    alive = alive.filter(({ chart }) => !isNoticed(chart, worlds));
  }
  return alive;
};

test('a chart with a broken guard does not say what the model says', () => {
  const { numRuns, seed } = runs(1500);
  const mutants = numRuns < 10_000 ? few : all;
  const charts = mutants.map((mutant) => ({ ...mutant, chart: broken(mutant) }));
  const alive = unnoticed(charts, seed, 1500).map(({ guard, says }) => `${guard}: ${says}`);
  console.log(
    `model: ${mutants.length - alive.length} of ${mutants.length} broken guards noticed (FC_SEED=${seed})`,
  );
  expect(alive).toEqual([]);
  expect(mutants.length).toBeGreaterThan(10);
  const guards = Object.keys(taskMachine.implementations.guards);
  expect(mutants.map(({ guard }) => guard).filter((guard) => !guards.includes(guard))).toEqual([]);
});

test('a chart with a broken rule does not say what the model says', () => {
  const { seed } = runs(1500);
  const charts = [...brokenRules, ...brokenLimits, ...brokenBeside];
  const alive = unnoticed(charts, seed, 6_000).map(({ rule }) => rule);
  console.log(
    `model: ${charts.length - alive.length} of ${charts.length} broken rules noticed (FC_SEED=${seed})`,
  );
  expect(alive).toEqual([]);
});
