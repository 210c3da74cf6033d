import type { DeadlineOf, Duty } from '../../machines/index.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';

/** A deadline that is running: what it is of, and when it passes (milliseconds since 1970). */
export interface Deadline {
  readonly of: DeadlineOf;
  readonly id: string;
  readonly at: number;
}

type Wake = Extract<Duty, { kind: 'wake' }>;

const keyOf = ({ of, id }: Pick<Deadline, 'of' | 'id'>): string => `${of} ${id}`;

const allowed = (
  taskClass: DefinedTaskClass,
  { of, id }: Wake,
  callDeadline: (id: string) => number | null,
): number | undefined => {
  switch (of) {
    case 'evidence':
      return taskClass.maxAge;
    case 'approval':
      return undefined; // an approval says itself when it ends
    case 'call':
      return callDeadline(id) ?? taskClass.deadlines.call;
    default:
      return taskClass.deadlines[of];
  }
};

/** The deadlines after a step: those still owed keep their hour, new ones begin to run, the others are gone. */
export const runningDeadlines = (
  running: readonly Deadline[],
  duties: readonly Duty[],
  now: number,
  taskClass: DefinedTaskClass,
  callDeadline: (id: string) => number | null,
): readonly Deadline[] => {
  const byKey = new Map(running.map((deadline) => [keyOf(deadline), deadline]));
  return duties
    .filter((duty): duty is Wake => duty.kind === 'wake')
    .flatMap((wake): Deadline[] => {
      const known = byKey.get(keyOf(wake));
      if (known !== undefined) return [known];
      const duration = allowed(taskClass, wake, callDeadline);
      return duration === undefined ? [] : [{ of: wake.of, id: wake.id, at: now + duration }];
    })
    .toSorted((one, other) => one.at - other.at);
};
