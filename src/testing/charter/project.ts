import type { Context } from '../../../machines/index.ts';

const sorted = <T>(record: Readonly<Record<string, T>>): readonly (readonly [string, T])[] =>
  Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));

/**
 * The part of a run's context that decides what can follow.
 *
 * What is constant (the task class, by default) or only reported (the trail) is left out, and what has no order is put into one.
 */
export const projectRun = ({ taskClass: _taskClass, trail: _trail, ...context }: Context): unknown => ({
  ...context,
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
