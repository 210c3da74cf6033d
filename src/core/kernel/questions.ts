import { feedbackTaken, type Context, type Question } from '../../../machines/index.ts';
import { isToBeMade } from '../../../machines/owed.ts';
import { isAboutFurther } from '../../../machines/question.ts';
import type { FeedbackType, RiskTier, UpContext, UpThought } from '../../../schema/index.ts';
import { summaryDigest } from '../../gates/approvals/subject.ts';
import { callSentence } from '../../base/boundary/call-sentence.ts';
import type { ApprovalClaims } from '../../base/ports/approvals.ts';
import type { CallDocument, OutputDocument, RecordPayload } from '../../base/ports/ledger.ts';
import type { OpenQuestion } from '../../base/ports/open-question.ts';
import { limitWords } from './failure-words.ts';
import type { Projection } from './projection/projection.ts';
import { currentEvidence } from './view.ts';
import type { adoptsKey } from './words.ts';
import { approvalConsequence, askedOutput, manualRollback, reasonsToAsk, undoingByHand } from './words.ts';

/** The deadline of a question, and its default answer. */
export interface Terms {
  readonly deadline: string | null;
  readonly byDefault: unknown;
}

/** Returns the terms of a question, by its kind and its id. */
export type TermsOf = (kind: OpenQuestion['kind'], id: string) => Terms;

const consequences: Record<OpenQuestion['kind'], OpenQuestion['consequences']> = {
  information: {
    edit: 'The information is given to the model, which plans.',
    instruction: 'The text is given to the model, which plans.',
    reject: 'The task fails.',
  },
  help: {
    edit: 'Your output replaces the model’s.',
    instruction: 'The model tries again, with your text.',
    reject: 'The model plans again while revisions last, else the task fails.',
  },
  plan: {
    approve: 'This plan is carried out as it stands.',
    edit: 'Your plan replaces it.',
    rank: 'The alternative that you put first replaces it.',
    instruction: 'The model plans again, with your text.',
    reject: 'The model plans again while revisions last, else the task fails.',
  },
  draft: {
    approve: 'This draft goes on to verification as it stands.',
    edit: 'Your draft replaces it.',
    rank: 'The alternative that you put first replaces it.',
    instruction: 'The model plans again, with your text.',
    reject: 'The model plans again while revisions last, else the task fails.',
  },
  approval: {
    approve: 'The write is made, as shown.',
    edit: 'Your arguments replace these; the policy decides again. Where you may approve them, that counts as yours.',
    instruction: 'The model plans again, with your text.',
    reject: 'This write is not made; the others go on.',
  },
  doubt: {
    approve: 'The write counts as done.',
    edit: 'You say whether it happened; if it did not, and may be made, it is made again.',
    reject: 'The write counts as not done and is not repeated.',
  },
  tool: {
    approve: 'The tool goes on.',
    edit: 'The tool goes on with your content.',
    rank: 'The tool goes on with your ranking.',
    instruction: 'The tool goes on with your text.',
    reject: 'The call fails.',
  },
  host: {
    approve: 'The writes stand, and the task ends without an answer.',
    reject: 'The writes are rolled back, newest first, and the task fails.',
  },
  limit: {
    approve: 'The task goes on, with as much again.',
    reject: 'The task fails, and its writes are rolled back, newest first.',
  },
  followup: {
    approve: 'The default is taken.',
    rank: 'Your choice is taken, in your order.',
    edit: 'The task begins again with your changes.',
    instruction: 'The task begins again with your text.',
    reject: 'Nothing more is done.',
  },
};

/** Returns the question of a followup; its answers settle the task or begin it again (UpFormat Table 3). */
export const followupQuestion = (terms: Terms): OpenQuestion => ({
  id: 'followup',
  kind: 'followup',
  about: 'followup',
  accepts: ['approve', 'rank', 'edit', 'instruction', 'reject', 'comment'],
  consequences: consequences.followup,
  ...terms,
});

/** Returns the part of a call that people see: all but its raw arguments. */
const shownCall = ({ raw: _raw, ...shown }: CallDocument): Omit<CallDocument, 'raw'> => shown;

interface Wording {
  readonly explanation: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly upThought?: UpThought | undefined;
  readonly upContext?: UpContext | undefined;
  readonly [adoptsKey]?: string;
}

/**
 * Returns the call that a question is about: of several with one action, first one that is held, because the person must
 * see why, then one that is still to be made.
 */
const actionOf = ({ calls: current }: Context, { calls }: Projection, about: string) => {
  const named = Object.values(calls).filter(({ id, digest }) => id === about || digest === about);
  const open = named.filter(({ id }) => current[id] !== undefined && isToBeMade(current[id]));
  return open.find(({ id }) => current[id]?.held !== undefined) ?? open[0] ?? named[0];
};

/**
 * Returns all that an approver sees: the action, its tier, the policy's decision, the evidence. Its digest is
 * signed.
 */
const approvalWording = (context: Context, projection: Projection, about: string): Wording => {
  const action = actionOf(context, projection, about);
  return {
    explanation: action ? callSentence(action) : 'The proposed call is no longer on record.',
    payload: {
      action: action ? shownCall(action) : null,
      tier: tierOf(context, about),
      policy: (action && projection.decisions[action.id]) ?? null,
      evidence: currentEvidence(context, projection),
    },
  };
};

const tierOf = ({ calls }: Context, about: string): RiskTier =>
  Object.values(calls).find(({ digest }) => digest === about)?.tier ?? 'write_high_risk';

/** Returns the claims that an approval of an action must have (UAICP 5.3). */
const claimsOf = (
  context: Context,
  projection: Projection,
  about: string,
  policyVersion: string | null,
): ApprovalClaims => {
  const action = actionOf(context, projection, about);
  return {
    request_id: context.request,
    tool: action?.tool ?? '',
    tool_version: action?.version ?? '',
    action_digest: about,
    tier: tierOf(context, about),
    policy_version: policyVersion,
    summary_digest: summaryDigest(approvalWording(context, projection, about)),
  };
};

/**
 * Returns the accepted feedback. An approval is always accepted: by a token, and unsigned if the task class allows
 * it.
 */
const acceptsOf = (context: Context, question: Question): readonly FeedbackType[] =>
  question.kind === 'approval'
    ? [...new Set<FeedbackType>(['approve', ...feedbackTaken(context, question)])]
    : feedbackTaken(context, question);

/** Returns what a call does, in a sentence, and why a person is asked; of a doubt, what its tool threw. */
const shownBy = (
  context: Context,
  projection: Projection,
  { kind, about }: Question,
  cause: string | undefined,
): Pick<OpenQuestion, 'summary' | 'reasons'> => {
  const action = kind === 'approval' || kind === 'doubt' ? actionOf(context, projection, about) : undefined;
  if (action === undefined) return {};
  const summary = callSentence(action);
  if (kind === 'doubt') return { summary, ...(cause !== undefined && { reasons: [cause] }) };
  return { summary, reasons: reasonsToAsk(context, projection, action, tierOf(context, about)) };
};

const approvalTerms = (
  context: Context,
  projection: Projection,
  question: Question,
  approval: ApprovalClaims,
) => {
  const needsToken = !feedbackTaken(context, question).includes('approve');
  const approve = approvalConsequence(context, projection, tierOf(context, question.about), needsToken);
  return { approval, needsToken, consequences: { ...consequences.approval, approve } };
};

/** Returns the output that a question is about; `null` for a question about something else. */
export const outputAskedAbout = (
  context: Context,
  { plan, further, draft }: Projection,
  { kind, about }: Pick<OpenQuestion, 'kind' | 'about'>,
): OutputDocument | null => {
  if (kind === 'draft') return draft;
  if (kind !== 'plan') return null;
  return isAboutFurther(context, about) ? further : plan;
};

/** Returns what each answer does; a plan whose mapping is not certain makes no call. */
const consequencesOf = (
  context: Context,
  projection: Projection,
  question: Question,
): OpenQuestion['consequences'] => {
  const { kind } = question;
  if (kind === 'plan' && outputAskedAbout(context, projection, question)?.mediation !== undefined)
    return { ...consequences.plan, approve: 'No call is made, and the model goes on without it.' };
  if (kind === 'limit' && context.taskClass.atLimit === 'keep')
    return {
      ...consequences.limit,
      reject: 'The task fails. Writes that were approved stay, others are rolled back.',
    };
  return consequences[kind];
};

/** Returns a question of the chart with the information for people. */
export const openQuestion = (
  context: Context,
  projection: Projection,
  id: string,
  question: Question,
  {
    terms,
    policyVersion,
    cause,
  }: {
    readonly terms: Terms;
    readonly policyVersion: string | null;
    /** What the record says of its fact, such as the error of a tool. */
    readonly cause?: string | undefined;
  },
): OpenQuestion => ({
  id,
  ...question,
  ...shownBy(context, projection, question, cause),
  accepts: acceptsOf(context, question),
  consequences: consequencesOf(context, projection, question),
  ...(context.taskClass.id === manualRollback && undoingByHand),
  ...terms,
  ...(question.kind === 'approval' &&
    approvalTerms(
      context,
      projection,
      question,
      claimsOf(context, projection, question.about, policyVersion),
    )),
});

/** Returns what an answer seals with it: what its question showed about a call. */
export const shownTo = ({ summary, reasons = [] }: OpenQuestion): Pick<RecordPayload, 'shown'> =>
  summary === undefined ? {} : { shown: { summary, reasons } };

/** Returns the writes that stand, as their actions. */
const writesMade = (context: Context, projection: Projection): readonly unknown[] =>
  context.effects
    .filter(({ status }) => status === 'committed')
    .map(({ digest }) => {
      const action = actionOf(context, projection, digest);
      return action === undefined ? { digest } : shownCall(action);
    });

/** Returns the wording of a question: the output, the action or the effect that it is about. */
export const wordingOf = (question: OpenQuestion, context: Context, projection: Projection): Wording => {
  switch (question.kind) {
    case 'plan':
    case 'draft': {
      const output = outputAskedAbout(context, projection, question);
      return { explanation: '', payload: {}, ...(output && askedOutput(output)) };
    }
    case 'approval':
      return approvalWording(context, projection, question.about);
    case 'doubt': {
      const action = actionOf(context, projection, question.about);
      return {
        explanation: `Did this happen? ${action ? callSentence(action) : 'The call is no longer on record.'}`,
        payload: { action: action ? shownCall(action) : null },
      };
    }
    case 'host':
      return {
        explanation: 'The agent did not come back. Approve keeps these writes, reject undoes them.',
        payload: { writes: writesMade(context, projection) },
      };
    case 'limit':
      return {
        explanation: `${limitWords(context, question.about)} May the task go on, with as much again?`,
        payload: { limit: question.about, writes: writesMade(context, projection) },
      };
    case 'information':
    case 'help':
    case 'tool':
    case 'followup':
      return { explanation: '', payload: {} };
  }
};
