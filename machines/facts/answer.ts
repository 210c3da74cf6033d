import { z } from 'zod';
import { FeedbackType, Identifier } from '../../schema/index.ts';
import { approved, disapproved, mayApprove, resumed } from '../approvals.ts';
import { callFor, callsOfPlan } from '../call.ts';
import { entry, failing, omit, type Change } from '../change.ts';
import type { Call, Context, Question } from '../context.ts';
import { kept, limitKept } from '../effect.ts';
import { extendedBy } from '../limits.ts';
import { isConfidence } from '../operational-state.ts';
import { abandoned, confirmed, declined, ruledOut } from '../outcomes.ts';
import { isHeld, isToBeMade, runOf } from '../owed.ts';
import { endOf, isAboutFurther, isPersonsToApprove } from '../question.ts';
import type { QuestionEnd, QuestionEvent } from '../question-life.ts';
import { isAllowedCall, isFurther, isProposal } from './checks.ts';
import type { AskedLimit } from '../task-class.ts';
import { family } from './family.ts';
import { draft, Evidence, plan, ProposedCall } from './fields.ts';

const answer = {
  question: Identifier,
  feedback: FeedbackType,
  /** The approver. The name distinguishes several approvers. */
  by: Identifier.optional(),
  /** The replacement of a plan or a draft, by an edit or a ranking. */
  plan: plan.optional(),
  draft: draft.optional(),
  /** The replacement of a call, by an edit. */
  call: ProposedCall.optional(),
  /** Whether the editor, who is named, also approves the call. */
  approves: z.literal(true).optional(),
  /** A person's statement about an effect in doubt. */
  effect: z.enum(['done', 'absent']).optional(),
  /** The evidence that an effect in doubt happened, as a person states it; of type `custom`. */
  evidence: Evidence.optional(),
};

const Answer = z.object(answer);
type Answer = z.infer<typeof Answer>;
type AnswerPayload = Partial<Omit<Answer, 'feedback'>>;

const bringsPlan = (c: Context, { plan: brought }: Answer, about: string): boolean =>
  brought !== undefined &&
  (isAboutFurther(c, about)
    ? isFurther(c, brought)
    : isProposal(c, brought) && runOf(c).partialWrites.length === 0);

const bringsDraft = ({ draft: brought }: Answer): boolean =>
  brought !== undefined && isConfidence(brought.confidence);

/** Returns whether an edit or a ranking has a valid replacement. Other feedback needs none. */
const bringsItsReplacement = (c: Context, { kind, about }: Question, given: Answer): boolean => {
  if (given.feedback !== 'edit' && given.feedback !== 'rank') return true;
  switch (kind) {
    case 'information':
    case 'tool':
    case 'host':
    case 'limit': // nothing of theirs is replaced
      return true;
    case 'help':
      return about === 'plan' ? bringsPlan(c, given, 'plan') : bringsDraft(given);
    case 'plan':
      return bringsPlan(c, given, about);
    case 'draft':
      return bringsDraft(given);
    case 'approval':
      return given.call !== undefined && isAllowedCall(c, given.call) && runOf(c).partialWrites.length === 0;
    case 'doubt':
      return given.effect !== undefined;
  }
};

/** Returns whether the evidence of a person who confirms a write, if there is any, has type `custom`. */
const bringsItsWord = ({ kind }: Question, { feedback, effect, evidence }: Answer): boolean => {
  const isDone = kind === 'doubt' && (feedback === 'approve' || (feedback === 'edit' && effect === 'done'));
  return !isDone || evidence === undefined || evidence.type === 'custom';
};

const accepts = (c: Context, given: Answer): boolean => {
  const question = entry(c.questions, given.question);
  if (question === undefined || c.reasons.length > 0) return false;
  const isApproval = question.kind === 'approval' && given.feedback === 'approve';
  return (
    (given.feedback === 'comment' || endOf(c, question, given.feedback, given) !== undefined) &&
    (!isApproval || mayApprove(c, question.about, given.by)) &&
    bringsItsReplacement(c, question, given) &&
    bringsItsWord(question, given)
  );
};

/** Counts a revision and closes every open question. */
const revised = (c: Context): Change => ({
  questions: {},
  counters: { ...c.counters, revisions: c.counters.revisions + 1 },
});

/** Returns whether an answer asks for another plan. */
export const asksForAnotherPlan = (c: Context, { feedback, ...given }: Answer): boolean => {
  const question = entry(c.questions, given.question);
  return (
    question !== undefined && feedback !== 'comment' && endOf(c, question, feedback, given) === 'revised'
  );
};

/** Returns the field of the proposal that a question is about. */
const proposalOf = (c: Context, { kind, about }: Question): 'plan' | 'further' | 'draft' => {
  if (kind === 'help') return about === 'plan' ? 'plan' : 'draft';
  if (kind === 'draft') return 'draft';
  return isAboutFurther(c, about) ? 'further' : 'plan';
};

/** Waives what a question is about: the plan and further calls that read like it are waived together. */
const waived = ({ plan, further, draft }: Context, { kind, about }: Question): Change => {
  if (kind === 'draft') return draft === null ? {} : { draft: { ...draft, waived: true } };
  return {
    ...(plan?.digest === about && { plan: { ...plan, waived: true } }),
    ...(further?.digest === about && { further: { ...further, waived: true } }),
  };
};

/** Replaces an output by what a person wrote. The replacement is waived, because a person wrote it. */
const outputReplaced = (
  c: Context,
  question: Question,
  { plan: newPlan, draft: newDraft }: AnswerPayload,
): Change => {
  const output = proposalOf(c, question);
  const counters = { ...c.counters, corrections: 0 };
  if (output === 'draft')
    return newDraft === undefined ? {} : { draft: { ...newDraft, waived: true }, counters };
  if (newPlan === undefined) return {};
  if (output === 'further') return { further: { ...newPlan, waived: true } };
  const { digest, confidence, canProceed, calls } = newPlan;
  return {
    plan: { digest, confidence, canProceed, waived: true },
    calls: callsOfPlan(c, calls),
    further: null,
    draft: null,
    reports: {},
    questions: {},
    counters: { ...counters, rounds: 1 },
  };
};

/**
 * Replaces the calls of an action by an edited call, in place. New arguments are a new action: the policy decides
 * again, and earlier approvals do not count.
 *
 * If the edited call is held, other calls of its action also lose their approvals: the approvers did not see why it is
 * held. Nor did the editor, whose approval counts otherwise.
 */
const callReplaced = (c: Context, digest: string, { call: edited, by, approves }: AnswerPayload): Change => {
  if (edited === undefined) return {};
  const isReplaced = (call: Call): boolean => call.digest === digest && isToBeMade(call);
  const calls = isHeld(edited) ? disapproved(c, edited.digest) : c.calls;
  const others = Object.fromEntries(Object.entries(calls).filter(([, call]) => !isReplaced(call)));
  const replaced = {
    calls: Object.fromEntries(
      Object.entries(calls).map(([id, call]) => [
        id,
        isReplaced(call) ? callFor({ ...c, calls: others }, edited, call.at) : call,
      ]),
    ),
  };
  const after = { ...c, ...replaced };
  const counts =
    approves === true &&
    !isHeld(edited) &&
    isPersonsToApprove(after, edited.digest) &&
    mayApprove(after, edited.digest, by);
  return counts ? { ...replaced, ...approved(after, edited.digest, by, 'human') } : replaced;
};

/** The end of a question: its id, the question, the event that ends it, and the payload of the answer. */
interface Ending {
  readonly id: string;
  readonly question: Question;
  readonly event: QuestionEvent;
  readonly brought: AnswerPayload;
}

/** Returns the limit that a question is about. */
const limitOf = ({ about }: Question) => about as AskedLimit; // the chart asks about no other

/** The change that each end of a question makes in the run. */
const changes: Record<QuestionEnd | 'open', (c: Context, ending: Ending) => Change> = {
  informed: () => ({}),
  waived: (c, { question }) => waived(c, question),
  replaced: (c, { question, brought }) =>
    question.kind === 'approval'
      ? callReplaced(c, question.about, brought)
      : outputReplaced(c, question, brought),
  retried: ({ counters }) => ({
    counters: { ...counters, corrections: 0, revisions: counters.revisions + 1 },
  }),
  revised,
  rejected: (c, { question }) =>
    failing(c, {
      code: 'HUMAN_REJECTED',
      about: question.kind === 'information' ? question.about : 'output',
    }),
  open: (c, { question, brought }) => approved(c, question.about, brought.by, 'human'),
  approved: (c, { question, brought }) => approved(c, question.about, brought.by, 'human'),
  declined: (c, { question, event }) => ({
    calls: declined(c, question.about, event === 'expired' ? 'QUESTION_EXPIRED' : 'HUMAN_REJECTED'),
  }),
  confirmed: (c, { question, brought }) => confirmed(c, question.about, brought.evidence),
  repeated: (c, { question }) => ({
    calls: resumed(c, (_, id) => id === question.about, 'question.repeated'),
  }),
  ruledOut: (c, { question }) => ruledOut(c, question.about),
  continued: (c, { question }) => ({
    calls: resumed(c, (_, id) => id === question.about, 'question.continued'),
  }),
  abandoned: (c, { question }) => abandoned(c, question.about, 'HUMAN_REJECTED'),
  kept,
  stopped: (c, { question }) => failing(c, { code: 'HOST_UNAVAILABLE', about: question.about }),
  extended: (c, { question }) => extendedBy(c, limitOf(question)),
  spent: (c, { question }) => limitKept(c, limitOf(question)),
  expired: (c, { id }) => failing(c, { code: 'QUESTION_EXPIRED', about: id }),
};

/**
 * Ends a question by its life. The question stays open if it needs more approvers, or if it expires and fails the run.
 */
export const endQuestion = (
  c: Context,
  id: string,
  event: QuestionEvent,
  brought: AnswerPayload = {},
): Change => {
  const question = entry(c.questions, id);
  const end = question && endOf(c, question, event, brought);
  if (question === undefined || end === undefined) return {};
  const isOpen = end === 'open' || end === 'expired';
  return {
    ...(!isOpen && { questions: omit(c.questions, id) }),
    ...changes[end](c, { id, question, event, brought }),
  };
};

const verbs: Readonly<Record<FeedbackType, string>> = {
  approve: 'approves',
  edit: 'edits',
  rank: 'ranks the alternatives of',
  instruction: 'gives an instruction about',
  reject: 'rejects',
  comment: 'comments on',
};

/** The fact of a person's answer. A comment ends no question (UpFormat Table 2). */
export const answerFacts = family({
  'human.responded': {
    cites: 'UpFormat Table 3',
    shape: answer,
    accepts,
    apply: (c, { feedback, ...brought }) =>
      feedback === 'comment' ? {} : endQuestion(c, brought.question, feedback, brought),
    isHoped: ({ feedback }) => feedback === 'approve',
    isRepeatable: ({ feedback }) => ['approve', 'comment'].includes(feedback),
    says: (given, words) =>
      `${given.by ?? words.person} ${verbs[given.feedback]} ${words.question(given.question)}`,
  },
});
