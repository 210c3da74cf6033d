import { loadedOnce } from '../base/boundary/lazily.ts';
import type { TaskClasses, Tools } from '../base/define/inferred.ts';
import { createEngine } from './shell/orchestrator.ts';
import type { GuestOptions, OrchestratorOptions } from './shell/options.ts';
import type { Rooms } from './shell/rooms.ts';
import type { Orchestrator } from './shell/surface.ts';

const cluster = loadedOnce(() => import('./cluster/leased-node.ts'));
const upgrade = loadedOnce(() => import('./upgrade/carry-over.ts'));
const mediation = loadedOnce(() => import('./mediation/mediated-arguments.ts'));
const participants = loadedOnce(() => import('./participants/receive.ts'));

/** Loads every room. */
export const loadRooms = () => Promise.all([cluster(), upgrade(), mediation(), participants()]);

/** The rooms beside the shell. */
export const rooms: Rooms = {
  leasedNode: async (...given) => (await cluster()).leasedNode(...given),
  carryOver: async (...given) => (await upgrade()).carryOver(...given),
  mediate: async (...given) => (await mediation()).mediatedArguments(...given),
  readReceived: async (...given) => (await participants()).readReceived(...given),
};

/** Creates an orchestrator. Throws `definition_invalid` if task classes, tools and verifiers do not fit together. */
export const createOrchestrator = <
  const Given extends Tools = readonly [],
  const Classes extends TaskClasses = TaskClasses,
>(
  options: OrchestratorOptions<Given, Classes> | GuestOptions<Given, Classes>,
): Orchestrator<Classes> =>
  // the names and types in it exist for the compiler only
  createEngine(rooms, options).orchestrator;
