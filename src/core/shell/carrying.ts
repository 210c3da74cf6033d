import { isCharterError } from '../../base/errors.ts';
import type { StoredTask } from '../../base/ports/store.ts';
import { otherChartOf } from '../ledger/chart.ts';
import type { Environment } from './environment.ts';

/** Carries a task of an older chart over to this one, and returns it as stored afterwards. */
export type CarryOver = (stored: StoredTask, ports: Environment) => Promise<StoredTask>;

/**
 * Returns a function that runs work which records, and runs it again if its task was under an older chart and could be
 * carried over.
 */
export const createCarrying =
  (carryOver: (taskId: string) => Promise<boolean>) =>
  async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (!isCharterError(error, 'chart_unknown') || !(await carryOver(error.details.taskId))) throw error;
      return work();
    }
  };

/** Carries tasks over from an older chart, and keeps which ones until `recover` reports them. */
export const createCarrier = (ports: Environment & { readonly carryOver: CarryOver }) => {
  const taskIds = new Set<string>();
  return {
    /** Returns a task as it is now. Throws what `carryOver` throws. */
    carry: async (stored: StoredTask): Promise<StoredTask> => {
      const now = otherChartOf(stored) === null ? stored : await ports.carryOver(stored, ports);
      if (now !== stored) taskIds.add(stored.indexEntry.taskId);
      return now;
    },
    /** Returns the tasks that were carried over since the last call. */
    take: (): readonly string[] => {
      const taken = Object.freeze([...taskIds]);
      taskIds.clear();
      return taken;
    },
  };
};
