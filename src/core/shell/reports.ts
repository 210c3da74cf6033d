import { clearedFor, report } from './duties/caller.ts';
import type { Ports } from './duties/performer.ts';
import type { Engine } from './engine.ts';
import type { TaskCache } from './task-cache.ts';

/** Creates what a guard needs for calls that agents perform themselves. */
export const createReports = (
  environment: Ports,
  cache: TaskCache,
  during: <Result>(operation: string, work: () => Promise<Result>) => Promise<Result>,
): Pick<Engine, 'callers' | 'clearedFor' | 'report'> => ({
  callers: environment.callers,
  clearedFor: (taskId, ref) => cache.use(taskId, (task) => clearedFor(task, environment, ref)),
  report: (taskId, ref, outcome) =>
    during('report', () =>
      cache.use(taskId, (task) => task.carryOut(report(task, environment, ref, outcome))),
    ),
});
