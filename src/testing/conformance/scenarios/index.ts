import type { ScenarioDefinition, Setup } from '../world.ts';
import { gateScenarios } from './gates.ts';
import { runScenarios } from './runs.ts';
import { writeScenarios } from './writes.ts';

const setups = { ...runScenarios, ...gateScenarios, ...writeScenarios };

/** The name of a scenario: what is irregular in it. */
export type ScenarioName = keyof typeof setups;

/** The scenarios by name. */
export const scenarios: ReadonlyMap<string, ScenarioDefinition> = new Map(
  Object.entries<Setup>(setups).map(([id, setup]) => [id, { id, ...setup }]),
);
