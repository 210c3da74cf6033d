import type { Context, TaskClass } from '../../../machines/index.ts';

const sorted = <T>(record: Readonly<Record<string, T>>): readonly (readonly [string, T])[] =>
  Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** More turns and calls than any run of a small world has: a limit that high decides nothing there. */
const unreachable = 24;

/** The counters that may still decide something. */
const countersIn = ({ limits }: TaskClass, counters: Context['counters']): unknown => ({
  ...counters,
  ...(limits.modelCalls > unreachable && { modelCalls: 0 }),
  ...(limits.calls > unreachable && { calls: 0 }),
});

/**
 * The part of a run's context that decides what can follow.
 *
 * What is constant (the task class, by default) or only reported (the trail) is left out, and what has no order is put into one.
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

/** The same where another version of the task class comes into force on the way. */
export const projectTightened = (context: Context): unknown => ({
  run: projectRun(context),
  taskClass: context.taskClass,
});
