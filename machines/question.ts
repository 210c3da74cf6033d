import type { FeedbackType } from '../schema/index.ts';
import { isLastApprover } from './approvals.ts';
import type { Change } from './change.ts';
import type { Context, Question, QuestionKind } from './context.ts';
import { wayOf } from './life.ts';
import { derived, isAuthorized, isConfident, runOf } from './owed.ts';
import {
  opened,
  questionLife,
  type QuestionCause,
  type QuestionEnd,
  type QuestionEvent,
  type QuestionState,
  type QuestionSubject,
} from './question-life.ts';

/** Returns whether a person may ask for another plan: revisions are left, and no write is partial or being made. */
const mayRevise = (c: Context): boolean =>
  c.counters.revisions < c.taskClass.limits.revisions &&
  runOf(c).partialWrites.length === 0 &&
  !runOf(c).hasWriteInFlight;

/**
 * Returns whether a person may approve this action. For a high-risk write, the task class must list `human` as an
 * authority (UAICP 5.3).
 */
export const isPersonsToApprove = (c: Context, digest: string): boolean =>
  runOf(c).calls.every((call) => call.digest !== digest || call.tier !== 'write_high_risk') ||
  c.taskClass.authorities.includes('human');

/** What the guards read of an answer. */
interface Answer {
  readonly by?: string | undefined;
  readonly effect?: 'done' | 'absent' | undefined;
}

const subjectOf = (c: Context, { kind, about }: Question, { by, effect }: Answer): QuestionSubject => ({
  mayRevise: mayRevise(c),
  mayApprove: isPersonsToApprove(c, about),
  isLast: isLastApprover(c, about, by),
  isAbsent: effect === 'absent',
  isDefaulted: c.taskClass.defaults.some((defaulted) => defaulted === kind),
});

const isOpen = (state: QuestionState): state is QuestionKind =>
  Object.values(opened).some(({ target }) => target === state);

const endIn = (question: Question, event: QuestionEvent, subject: QuestionSubject) => {
  const end = wayOf(questionLife, question.kind, event, subject)?.target;
  return end !== undefined && isOpen(end) ? 'open' : end;
};

/**
 * Returns how an answer ends a question: `open` if it needs more approvers, `undefined` if it does not accept the
 * answer.
 */
export const endOf = (
  c: Context,
  question: Question,
  event: QuestionEvent,
  answer: Answer = {},
): QuestionEnd | 'open' | undefined => endIn(question, event, subjectOf(c, question, answer));

const answers = ['approve', 'edit', 'rank', 'instruction', 'reject'] as const;

/** Returns the types of feedback that a question accepts now (UpFormat Table 2, upFeedback). */
export const feedbackTaken = (c: Context, question: Question): readonly FeedbackType[] => {
  const subject = subjectOf(c, question, {});
  return [...answers.filter((answer) => endIn(question, answer, subject) !== undefined), 'comment'];
};

/**
 * Returns whether a question about a plan is about further calls. They may read like the plan itself: once a person has
 * edited them, it is about the plan.
 */
export const isAboutFurther = ({ further }: Context, about: string): boolean =>
  further?.digest === about && !further.waived;

const questionOf = (cause: QuestionCause, about: string): Question => ({ kind: opened[cause].target, about });

/** Opens a question. */
export const askQuestion = (c: Context, id: string, cause: QuestionCause, about: string): Change => ({
  questions: { ...c.questions, [id]: questionOf(cause, about) },
});

/** Returns the id of the question of this kind that a gate asks about a subject. */
export const gateQuestion = (kind: QuestionKind, about: string): string => `${kind}:${about}`;

/** Returns the subject of a question of this kind that a gate asked; `undefined` for any other question. */
export const gateSubject = (kind: QuestionKind, question: string): string | undefined =>
  question.startsWith(gateQuestion(kind, '')) ? question.slice(gateQuestion(kind, '').length) : undefined;

/**
 * Returns the questions that the gates need answered, by an id that contains their subject.
 *
 * Doubts come first, then uncertain proposals, then approvals; only the first of these that applies.
 */
export const questionsOwed = derived((c): Readonly<Record<string, Question>> => {
  const doubts = runOf(c).inDoubt.map(
    ({ id }) => [gateQuestion('doubt', id), questionOf('call.doubted', id)] as const,
  );
  if (doubts.length > 0) return Object.fromEntries(doubts);
  const unsure = (['plan', 'further', 'draft'] as const).flatMap((name) => {
    const proposal = c[name];
    if (proposal === null || isConfident(c, proposal)) return [];
    const question = questionOf(name === 'draft' ? 'draft.unsure' : 'plan.unsure', proposal.digest);
    return [[gateQuestion(question.kind, proposal.digest), question] as const];
  });
  if (unsure.length > 0) return Object.fromEntries(unsure);
  const unapproved = [
    ...runOf(c).readsHeld,
    ...runOf(c).writesOwed.filter((call) => call.status === 'allowed' && !isAuthorized(call)),
  ];
  return Object.fromEntries(
    unapproved.map(
      ({ digest }) => [gateQuestion('approval', digest), questionOf('approval.missing', digest)] as const,
    ),
  );
});

/** Returns whether a write fell into doubt beside a question, and nobody was asked about it yet. */
export const hasNewDoubt = (c: Context): boolean =>
  c.reasons.length === 0 &&
  Object.keys(c.questions).length > 0 &&
  runOf(c).inDoubt.some(({ id }) => !Object.hasOwn(c.questions, gateQuestion('doubt', id)));

/** Closes the `tool` and `doubt` questions of a call, and removes the call from all dependencies. */
export const closeQuestionsOf = (c: Context, id: string): Change => ({
  questions: Object.fromEntries(
    Object.entries(c.questions).filter(
      ([, { kind, about }]) => about !== id || (kind !== 'tool' && kind !== 'doubt'),
    ),
  ),
  dependencies: Object.fromEntries(
    Object.entries(c.dependencies)
      .map(([dependency, calls]) => [dependency, calls.filter((call) => call !== id)] as const)
      .filter(([, calls]) => calls.length > 0),
  ),
});
