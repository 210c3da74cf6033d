import { executionMachine, taskMachine } from '../../machines/index.ts';
import type { Charter, World } from './exploration.ts';
import { taskWorlds } from './task-worlds.ts';
import { worlds } from './worlds.ts';

/** A chart, and what may be said to it. */
export interface Scenario {
  readonly machine: Charter;
  readonly world: World;
}

const inEach = (machine: Charter, all: readonly World[]): readonly Scenario[] =>
  all.map((world) => ({ machine, world }));

/** Every scenario that both checkers walk. */
export const scenarios: readonly Scenario[] = [
  ...inEach(executionMachine, worlds),
  ...inEach(taskMachine, taskWorlds),
];
