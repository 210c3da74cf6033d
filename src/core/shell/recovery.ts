import { chartVersion } from '../../../machines/index.ts';
import type { Ports } from './duties/performer.ts';
import { openParents, taskIdsOf } from './pages.ts';
import type { Recovery } from './surface.ts';
import type { TaskCache } from './task-cache.ts';

type Refused = Recovery['refused'][number];

/** Attempts work for tasks, each on its own: of those that cannot be resumed, the first error counts. */
export const createAttempts = () => {
  const refused = new Map<string, Refused>();
  return {
    attempt: async (taskId: string, work: () => Promise<unknown>): Promise<void> => {
      if (refused.has(taskId)) return;
      try {
        await work();
      } catch (error) {
        refused.set(taskId, { taskId, error });
      }
    },
    /** Returns the report of tasks that were attempted. */
    report: (taskIds: readonly string[], more: Pick<Recovery, 'carriedOver' | 'changed'>): Recovery =>
      Object.freeze({
        taken: taskIds.filter((taskId) => !refused.has(taskId)).length,
        ...more,
        refused: Object.freeze([...refused.values()]),
      }),
  };
};

/** Returns what a recovery reports beside the tasks that it resumed. */
export const reported = async (
  { carrier }: TaskCache,
  { changes }: Pick<Ports, 'changes'>,
): Promise<Pick<Recovery, 'carriedOver' | 'changed'>> => ({
  carriedOver: carrier.take(),
  changed: await changes.take(),
});

/** Resumes every task with duties, in a store that this process holds as a whole. */
export const recoverStore = async (
  cache: TaskCache,
  ports: Pick<Ports, 'store' | 'children' | 'changes'>,
): Promise<Recovery> => {
  const { attempt, report } = createAttempts();
  const { store, children } = ports;
  for (const taskId of await taskIdsOf(store, { isSettled: false, otherChart: chartVersion }))
    await attempt(taskId, () => cache.use(taskId, () => {}));
  const owed = [
    ...(await taskIdsOf(store, { isOwed: true })),
    // open tasks that wait for no one are checked too: they are rare, and may have been tampered with
    ...(await taskIdsOf(store, { isIdle: true })),
  ];
  for (const taskId of owed) await attempt(taskId, () => cache.use(taskId, (task) => task.wake()));
  const resumed = new Set(owed); // with every parent that waits for a task
  for (const parent of await openParents(store))
    if (!resumed.has(parent)) await attempt(parent, () => children.cancelUnneededStored(parent));
  await cache.alarm.ring();
  return report(owed, await reported(cache, ports));
};
