import { workerData } from 'node:worker_threads';
import { mutantSwitch } from './switch.ts';

export interface WorkerInput {
  /** The mutant that is active while the charts load; 0 for none. */
  readonly active: number;
}

// imported before the charts: a mutant of what runs while they load is active from the beginning
const { active } = workerData as WorkerInput;
mutantSwitch.active = active;
mutantSwitch.reached = new Set();

/** Returns the places that the charts reach while they load. */
export const reachedByLoading = (): readonly number[] => {
  const reached = [...(mutantSwitch.reached ?? [])];
  mutantSwitch.reached = null;
  return reached;
};
