import { parentPort, workerData } from 'node:worker_threads';
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

/** What noticed a mutant, and how it says so; `null` if nothing did. */
export interface Judgement {
  readonly by: 'property' | 'model' | 'error' | null;
  readonly why: string;
}

/** The worlds that are sharp on guards first; the larger ones only where there is time for them. */
const asked: readonly World[] = workerData === 'all' ? [...sharpWorlds, ...worlds] : sharpWorlds;

const brokenIn = (machine: Charter, world: World): string | undefined => {
  const graph = explore<Charter>(machine, { ...inWorld(world), limit: 12_000 });
  const properties = [...charterProperties<Charter>(world), ...adversarialProperties<Charter>(world)];
  return check(graph, properties)[0]?.property;
};

const byProperty = (): string | undefined => {
  for (const world of asked)
    for (const machine of [taskMachine, executionMachine] as const) {
      const broken = brokenIn(machine, world);
      if (broken !== undefined) return `${machine.id}, ${world.name}: ${broken}`;
    }
  return undefined;
};

const byModel = (): string | undefined => {
  const told = fc.sample(fc.tuple(taskClasses, fc.nat()), { numRuns: 800, seed: 1 });
  const at = told.findIndex(([taskClass, number]) => {
    const story = play(taskMachine, taskClass, fateOf(number));
    return story.isBroken || differenceIn(story) !== null;
  });
  return at === -1 ? undefined : `sequence ${at}`;
};

const judgement = (): Judgement => {
  try {
    const property = byProperty();
    if (property !== undefined) return { by: 'property', why: property };
    const sequence = byModel();
    return sequence === undefined ? { by: null, why: '' } : { by: 'model', why: sequence };
  } catch (error) {
    return { by: 'error', why: String(error).slice(0, 200) };
  }
};

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
parentPort?.postMessage(judgement());
