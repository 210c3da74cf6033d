import type { ScenarioCharter, Simulated } from 'agentcharter/testing';
import type { TaskClasses, Tools } from '../../../../../src/base/define/inferred.ts';
import { basic } from './basic.ts';
import { effects } from './effects.ts';
import { talks } from './talks.ts';

interface Sample {
  readonly charter: ScenarioCharter;
  readonly given: Simulated<Tools, TaskClasses>;
}

const all = { ...basic, ...effects, ...talks } as const;

/** Charters whose parts are sound, and what is around each in its orders. Their names are checked where they are run. */
export const charters = all as unknown as Readonly<Record<keyof typeof all, Sample>>;
