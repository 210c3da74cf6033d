import { reachedByLoading } from './activate.ts';
import { parentPort } from 'node:worker_threads';
import * as fc from 'fast-check';
import { executionMachine, taskMachine } from '../../../machines/index.ts';
import { check } from '../../../src/testing/check.ts';
import {
  adversarialProperties,
  charterProperties,
  type Charter,
} from '../../../src/testing/charter/properties/properties.ts';
import { inWorld } from '../../../src/testing/charter/explore-world.ts';
import type { World } from '../../../src/testing/charter/world.ts';
import { explore } from '../../../src/testing/explore.ts';
import { play } from '../../differential/chart.ts';
import { taskClasses } from '../../differential/classes.ts';
import { differenceIn } from '../../differential/compare.ts';
import { fateOf } from '../../differential/fate.ts';
import { sharpWorlds } from '../../machines/sharp-worlds.ts';
import { worlds } from '../../machines/worlds.ts';
import { observed, withMutant, type Observation } from './switch.ts';

/** The judges of a worker: generated sequences that the model reads as well, and explored worlds. */
export type Kind = 'sequence' | 'sharp world' | 'world';

/** One sequence or world, by its place among its kind. */
export interface Unit {
  readonly kind: Kind;
  readonly at: number;
}

/** What to do: see what a unit reaches with the charts as they are, or judge a mutant by it. */
export type Order =
  | { readonly order: 'observe'; readonly unit: Unit }
  | { readonly order: 'judge'; readonly unit: Unit; readonly mutant: number; readonly steps: number };

/** What a unit says of a mutant: why it notices, or nothing. */
export type Finding = Readonly<{ by: 'property' | 'model' | 'error'; why: string }> | null;

/** What a worker answers: first what loading reached, and how many units there are; then one answer an order. */
export type Reply =
  Readonly<{ loaded: readonly number[]; counts: Record<Kind, number> }> | Observation | Finding;

const sequences = fc.sample(fc.tuple(taskClasses, fc.nat()), { numRuns: 2500, seed: 1 });

const bySequence = (at: number): Finding => {
  const [taskClass, number] = sequences[at] ?? [];
  if (taskClass === undefined || number === undefined) throw new Error(`There is no sequence ${at}.`);
  const story = play(taskMachine, taskClass, fateOf(number));
  return story.isBroken || differenceIn(story) !== null ? { by: 'model', why: `sequence ${at}` } : null;
};

const brokenIn = (machine: Charter, world: World): string | undefined => {
  const graph = explore<Charter>(machine, { ...inWorld(world), limit: 12_000 });
  const properties = [...charterProperties<Charter>(world), ...adversarialProperties<Charter>(world)];
  return check(graph, properties)[0]?.property;
};

/** Each world for each chart. */
const explored = (ofWorlds: readonly World[]) =>
  ofWorlds.flatMap((world) => [taskMachine, executionMachine].map((machine) => [machine, world] as const));

const exploredWorlds = { 'sharp world': explored(sharpWorlds), world: explored(worlds) };

const byWorld = (kind: 'sharp world' | 'world', at: number): Finding => {
  const [machine, world] = exploredWorlds[kind][at] ?? [];
  if (machine === undefined || world === undefined) throw new Error(`There is no ${kind} ${at}.`);
  const broken = brokenIn(machine, world);
  return broken === undefined ? null : { by: 'property', why: `${machine.id}, ${world.name}: ${broken}` };
};

const findingOf = ({ kind, at }: Unit): Finding => {
  try {
    return kind === 'sequence' ? bySequence(at) : byWorld(kind, at);
  } catch (error) {
    return { by: 'error', why: String(error).slice(0, 200) };
  }
};

const execute = (order: Order): Promise<Observation | Finding> => {
  if (order.order === 'judge') return withMutant(order.mutant, order.steps, () => findingOf(order.unit));
  return observed(() => {
    const finding = findingOf(order.unit);
    if (finding !== null) throw new Error(`The charts as they are fail: ${finding.by}: ${finding.why}.`);
  });
};

const reply = (message: Reply): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  parentPort?.postMessage(message);
};

parentPort?.on('message', (order: Order) => void execute(order).then(reply));
reply({
  loaded: reachedByLoading(),
  counts: {
    sequence: sequences.length,
    'sharp world': exploredWorlds['sharp world'].length,
    world: exploredWorlds.world.length,
  },
});
