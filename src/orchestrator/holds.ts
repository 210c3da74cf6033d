import type { Capabilities, Hold, Store } from '../ports/store.ts';

/** The maximum number of tasks that are taken at once. */
const takeLimit = 100;

/** The holds of this process: the tasks that it performs, and the fencing token of each. */
export interface Holds {
  /** Takes what it can perform. Throws `store_owned`. */
  readonly take: () => Promise<void>;
  /** Returns the fence under which a step of a task is written; `null` if this process does not hold it. */
  readonly fenceOf: (taskId: string) => number | null;
}

/** The holds of a guest: it performs nothing. */
export const noHolds: Holds = { take: async () => {}, fenceOf: () => null };

/** Creates the holds of a process. */
export const createHolds = (store: Pick<Store, 'take'>, capabilities: Capabilities): Holds => {
  /** The hold of all tasks, if there is one. */
  let all: Hold | null = null;
  const byTask = new Map<string, Hold>();
  return {
    take: async () => {
      for (const hold of await store.take(capabilities, takeLimit)) {
        if (hold.taskId === null) all = hold;
        else byTask.set(hold.taskId, hold);
      }
    },
    fenceOf: (taskId) => (all ?? byTask.get(taskId))?.fence ?? null,
  };
};
