import type { Context, DeadlineOf, Duty } from '../../machines/index.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';
import type { Brought } from '../ports/ledger.ts';
import { rfc3339 } from './clock.ts';
import type { TermsOf } from './questions.ts';

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

/** Until when a question that is asked now waits, and what its task class, or its offer, takes for an answer then. */
export const termsOf =
  ({ deadlines, defaults = {} }: DefinedTaskClass, now: number, offered: unknown): TermsOf =>
  (kind) => {
    const isDefaulted = kind === 'information' || kind === 'tool' || kind === 'approval';
    const byDefault = kind === 'followup' ? offered : isDefaulted ? defaults[kind] : undefined;
    const allowed = kind === 'followup' ? deadlines.followup : deadlines.question;
    return { deadline: rfc3339(now + allowed), byDefault: byDefault ?? null };
  };

/** What stands for an answer that never came, where the task class declares it: recorded as an edit, by no person. */
export const defaultAnswer = (
  { of, id }: Deadline,
  questions: Context['questions'],
  { defaults }: DefinedTaskClass,
  target: string | undefined,
): Brought => {
  const kind = of === 'question' && Object.hasOwn(questions, id) ? questions[id]?.kind : undefined;
  const value = kind === 'information' || kind === 'tool' ? defaults?.[kind] : undefined;
  if (value === undefined || target === undefined) return {};
  return { feedback: { type: 'edit', target, content: { value } } };
};
