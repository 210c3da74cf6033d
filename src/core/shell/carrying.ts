import { isCharterError } from '../../base/errors.ts';

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
