import type { FeedbackType } from '../schema/index.ts';
import { isLastApprover } from './approvals.ts';
import type { Change } from './change.ts';
import type { Context, Question, QuestionKind } from './context.ts';
import { wayOf, type Life } from './life.ts';
import {
  callsOf,
  derived,
  hasWriteInFlight,
  inDoubt,
  isAuthorized,
  isConfident,
  partialWrites,
  readsHeld,
  writesOwed,
} from './owed.ts';
import { interpretation, uaicp, upformat, type Cited } from './spec.ts';

/** The events that open a question, and the kind of question that each opens. */
const opened = {
  'information.requested': { target: 'information', meta: upformat('Table 3') },
  'help.requested': { target: 'help', meta: upformat('2.3') },
  'plan.unsure': { target: 'plan', meta: upformat('2.3') },
  'draft.unsure': { target: 'draft', meta: upformat('2.3') },
  'approval.missing': { target: 'approval', meta: uaicp('5.3') },
  'call.doubted': { target: 'doubt', meta: interpretation('0005') },
  'question.raised': { target: 'tool', meta: upformat('2') },
  'host.away': { target: 'host', meta: interpretation('0049') },
  'limit.reached': { target: 'limit', meta: interpretation('0081') },
} as const satisfies Record<string, { readonly target: QuestionKind; readonly meta: Cited }>;

/** An event that opens a question. */
type QuestionCause = keyof typeof opened;

/**
 * An event that answers a question: feedback, or `expired` for its deadline. A comment answers none (UpFormat Table 2).
 */
export type QuestionEvent = Exclude<FeedbackType, 'comment'> | 'expired';

/** The way in which a question ends. */
export type QuestionEnd =
  | 'informed'
  | 'waived'
  | 'replaced'
  | 'retried'
  | 'revised'
  | 'rejected'
  | 'approved'
  | 'declined'
  | 'confirmed'
  | 'repeated'
  | 'ruledOut'
  | 'continued'
  | 'abandoned'
  | 'kept'
  | 'stopped'
  | 'extended'
  | 'spent'
  | 'expired';

type QuestionState = QuestionKind | QuestionEnd;

/** What the guards read of the run and the answer. */
type QuestionSubject = Readonly<{
  mayRevise: boolean;
  mayApprove: boolean;
  isLast: boolean;
  isAbsent: boolean;
  isDefaulted: boolean;
}>;

const expired = { target: 'expired', meta: interpretation('0004') } as const;
const revised = { guard: 'mayRevise', target: 'revised', meta: interpretation('0006') } as const;
const replaced = { target: 'replaced', meta: upformat('Table 2') } as const;
const continued = { target: 'continued', meta: upformat('Table 3') } as const;
const confirmed = { target: 'confirmed', meta: interpretation('0005') } as const;
const kept = { target: 'kept', meta: interpretation('0049') } as const;
const spent = { target: 'spent', meta: interpretation('0081') } as const;
const informed = { target: 'informed', meta: upformat('Table 3') } as const;

/** The answers to a question about an output that the model made. */
const onOutput = {
  on: {
    approve: { target: 'waived', meta: upformat('2.3') },
    edit: replaced,
    rank: replaced,
    instruction: revised,
    reject: [revised, { target: 'rejected', meta: interpretation('0006') }],
    expired,
  },
} as const;

/** The life of a question. While it is open, its state is its kind; after that, its state is how it ended. */
export const questionLife: Life<
  QuestionState,
  QuestionEvent | QuestionCause,
  'mayRevise' | 'mayApprove' | 'isLastApprover' | 'isAbsent' | 'isDefaulted',
  QuestionSubject
> = {
  id: 'question',
  guards: {
    mayRevise: ({ context }) => context.mayRevise,
    mayApprove: ({ context }) => context.mayApprove,
    isLastApprover: ({ context }) => context.mayApprove && context.isLast,
    isAbsent: ({ context }) => context.isAbsent,
    isDefaulted: ({ context }) => context.isDefaulted,
  },
  states: {
    new: { on: opened },
    information: {
      on: {
        edit: informed,
        instruction: informed,
        reject: { target: 'rejected', meta: upformat('Table 2') },
        expired: [{ guard: 'isDefaulted', target: 'informed', meta: interpretation('0004') }, expired],
      },
    },
    plan: onOutput,
    draft: onOutput,
    help: {
      on: {
        edit: replaced,
        instruction: { guard: 'mayRevise', target: 'retried', meta: interpretation('0006') },
        reject: [revised, { target: 'rejected', meta: interpretation('0006') }],
        expired,
      },
    },
    approval: {
      on: {
        approve: [
          { guard: 'isLastApprover', target: 'approved', meta: uaicp('5.3') },
          { guard: 'mayApprove', target: 'approval', meta: uaicp('5.3') },
        ],
        edit: replaced,
        instruction: revised,
        reject: { target: 'declined', meta: uaicp('5.3') },
        expired: [{ guard: 'isDefaulted', target: 'declined', meta: interpretation('0004') }, expired],
      },
    },
    doubt: {
      on: {
        approve: confirmed,
        edit: [{ guard: 'isAbsent', target: 'repeated', meta: interpretation('0005') }, confirmed],
        reject: { target: 'ruledOut', meta: interpretation('0005') },
        expired,
      },
    },
    tool: {
      on: {
        approve: continued,
        edit: continued,
        rank: continued,
        instruction: continued,
        reject: { target: 'abandoned', meta: upformat('Table 2') },
        expired: [{ guard: 'isDefaulted', target: 'continued', meta: interpretation('0004') }, expired],
      },
    },
    host: {
      on: { approve: kept, reject: { target: 'stopped', meta: interpretation('0049') }, expired: kept },
    },
    limit: {
      on: { approve: { target: 'extended', meta: interpretation('0081') }, reject: spent, expired: spent },
    },
    informed: {},
    waived: {},
    replaced: {},
    retried: {},
    revised: {},
    rejected: {},
    approved: {},
    declined: {},
    confirmed: {},
    repeated: {},
    ruledOut: {},
    continued: {},
    abandoned: {},
    kept: {},
    stopped: {},
    extended: {},
    spent: {},
    expired: {},
  },
};

/** Returns whether a person may ask for another plan: revisions are left, and no write is partial or being made. */
const mayRevise = (c: Context): boolean =>
  c.counters.revisions < c.taskClass.limits.revisions &&
  partialWrites(c).length === 0 &&
  !hasWriteInFlight(c);

/**
 * Returns whether a person may approve this action. For a high-risk write, the task class must list `human` as an
 * authority (UAICP 5.3).
 */
export const isPersonsToApprove = (c: Context, digest: string): boolean =>
  callsOf(c).every((call) => call.digest !== digest || call.tier !== 'write_high_risk') ||
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
  const doubts = inDoubt(c).map(
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
    ...readsHeld(c),
    ...writesOwed(c).filter((call) => call.status === 'allowed' && !isAuthorized(call)),
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
  inDoubt(c).some(({ id }) => !Object.hasOwn(c.questions, gateQuestion('doubt', id)));

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
