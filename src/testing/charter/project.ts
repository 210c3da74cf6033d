import type { Context, TaskClass } from '../../../machines/index.ts';

const sorted = <T>(record: Readonly<Record<string, T>>): readonly (readonly [string, T])[] =>
  Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** More turns and calls than a small world can have. A limit this high has no effect. */
const unreachable = 24;

/** Returns the counters that a limit can still bound. */
const countersIn = ({ limits }: TaskClass, counters: Context['counters']): unknown => ({
  ...counters,
  ...(limits.modelCalls > unreachable && { modelCalls: 0 }),
  ...(limits.calls > unreachable && { calls: 0 }),
});

/**
 * Returns the part of a run's context that determines its future.
 *
 * Omits constants (by default the task class) and the trail, which is only reported. Sorts unordered lists.
 */
export const projectRun = ({ taskClass, trail: _trail, ...context }: Context): unknown => ({
  ...context,
  counters: countersIn(taskClass, context.counters),
  recoveries: sorted(context.recoveries),
  calls: Object.entries(context.calls).map(([id, call]) => [
    id,
    { ...call, approvers: call.approvers.toSorted() },
  ]),
  reports: sorted(context.reports),
  questions: sorted(context.questions),
  dependencies: sorted(context.dependencies),
});

/** As `projectRun`, for a world in which the task class becomes stricter. */
export const projectTightened = (context: Context): unknown => ({
  run: projectRun(context),
  taskClass: context.taskClass,
});
