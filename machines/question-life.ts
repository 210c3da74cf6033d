import type { FeedbackType } from '../schema/index.ts';
import type { QuestionKind } from './context.ts';
import type { Life } from './life.ts';
import { interpretation, uaicp, upformat, type Cited } from './spec.ts';

/** The events that open a question, and the kind of question that each opens. */
export const opened = {
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
export type QuestionCause = keyof typeof opened;

/**
 * An event that answers a question: feedback, or `expired` for its deadline. A comment answers none (UpFormat Table 2).
 */
export type QuestionEvent = Exclude<FeedbackType, 'comment'> | 'expired';

const ended = {
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
} as const;

/** The way in which a question ends. */
export type QuestionEnd = keyof typeof ended;

export type QuestionState = QuestionKind | QuestionEnd;

/** What the guards read of the run and the answer. */
export type QuestionSubject = Readonly<{
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
    ...ended,
  },
};
