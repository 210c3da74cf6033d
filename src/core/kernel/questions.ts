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

/** Returns the question of a followup; its answers settle the task or begin it again (UpFormat Table 3). */
export const followupQuestion = (terms: Terms): OpenQuestion => ({
  id: 'followup',
  kind: 'followup',
  about: 'followup',
  accepts: ['approve', 'rank', 'edit', 'instruction', 'reject', 'comment'],
  consequences: questionKinds.followup.consequences,
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

/** A question with what it is asked about. */
interface Asking {
  readonly context: Context;
  readonly projection: Projection;
  readonly question: Pick<OpenQuestion, 'kind' | 'about'>;
}

const tierOf = ({ context, question }: Asking): RiskTier =>
  Object.values(context.calls).find(({ digest }) => digest === question.about)?.tier ?? 'write_high_risk';

/**
 * Returns all that an approver sees: the action, its tier, the policy's decision, the evidence. Its digest is
 * signed.
 */
const approvalWording = (asking: Asking): Wording => {
  const { context, projection, question } = asking;
  const action = actionOf(context, projection, question.about);
  return {
    explanation: action ? callSentence(action) : 'The proposed call is no longer on record.',
    payload: {
      action: action ? shownCall(action) : null,
      tier: tierOf(asking),
      policy: (action && projection.decisions[action.id]) ?? null,
      evidence: currentEvidence(context, projection),
    },
  };
};

/** Returns the claims that an approval of an action must have (UAICP 5.3). */
const claimsOf = (asking: Asking, policyVersion: string | null): ApprovalClaims => {
  const { context, projection, question } = asking;
  const action = actionOf(context, projection, question.about);
  return {
    request_id: context.request,
    tool: action?.tool ?? '',
    tool_version: action?.version ?? '',
    action_digest: question.about,
    tier: tierOf(asking),
    policy_version: policyVersion,
    summary_digest: summaryDigest(approvalWording(asking)),
  };
};

/** Returns what a call does, in a sentence, and why a person is asked; of a doubt, what its tool threw. */
const shownBy = (asking: Asking, cause: string | undefined): Pick<OpenQuestion, 'summary' | 'reasons'> => {
  const { context, projection, question } = asking;
  const { kind, about } = question;
  const action = kind === 'approval' || kind === 'doubt' ? actionOf(context, projection, about) : undefined;
  if (action === undefined) return {};
  const summary = callSentence(action);
  if (kind === 'doubt') return { summary, ...(cause !== undefined && { reasons: [cause] }) };
  return { summary, reasons: reasonsToAsk(context, projection, action, tierOf(asking)) };
};

/** Returns what an approval takes, which is always accepted by a token. */
const approvalTerms = (asking: Asking, taken: readonly FeedbackType[], policyVersion: string | null) => {
  const { context, projection } = asking;
  const needsToken = !taken.includes('approve');
  const accepts = needsToken ? (['approve', ...taken] as const) : taken;
  const approve = approvalConsequence(context, projection, tierOf(asking), needsToken);
  const consequences = { ...questionKinds.approval.consequences, approve };
  return { accepts, approval: claimsOf(asking, policyVersion), needsToken, consequences };
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
const consequencesOf = ({ context, projection, question }: Asking): OpenQuestion['consequences'] => {
  const { consequences } = questionKinds[question.kind];
  if (question.kind === 'plan' && outputAskedAbout(context, projection, question)?.mediation !== undefined)
    return { ...consequences, approve: 'No call is made, and the model goes on without it.' };
  const reject = 'The task fails. Writes that were approved stay, others are rolled back.';
  return question.kind === 'limit' && context.taskClass.atLimit === 'keep'
    ? { ...consequences, reject }
    : consequences;
};

/** What a question of the chart is asked with. */
interface AskedWith {
  readonly terms: Terms;
  readonly policyVersion: string | null;
  /** What the record says of its fact, such as the error of a tool. */
  readonly cause: string | undefined;
}

/** Returns a question of the chart with the information for people. */
export const openQuestion = (
  context: Context,
  projection: Projection,
  id: string,
  question: Question,
  { terms, policyVersion, cause }: AskedWith,
): OpenQuestion => {
  const asking = { context, projection, question };
  const taken = feedbackTaken(context, question);
  return {
    id,
    ...question,
    ...shownBy(asking, cause),
    accepts: taken,
    consequences: consequencesOf(asking),
    ...(context.taskClass.id === manualRollback && undoingByHand),
    ...terms,
    ...(question.kind === 'approval' && approvalTerms(asking, taken, policyVersion)),
  };
};

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

/** Returns the words of a question: the output, the action or the effect that it is about. */
type Worded = (asking: Asking) => Wording;

const outputWording: Worded = ({ context, projection, question }) => {
  const output = outputAskedAbout(context, projection, question);
  return { explanation: '', payload: {}, ...(output && askedOutput(output)) };
};

/** What one kind of question asks. */
interface Kind {
  /** Its words; without them it is asked in those of who raised it. */
  readonly words?: Worded;
  /** What each answer does. */
  readonly consequences: OpenQuestion['consequences'];
}

const revising = {
  instruction: 'The model plans again, with your text.',
  reject: 'The model plans again while revisions last, else the task fails.',
};

export const questionKinds: Readonly<Record<OpenQuestion['kind'], Kind>> = {
  information: {
    consequences: {
      edit: 'The information is given to the model, which plans.',
      instruction: 'The text is given to the model, which plans.',
      reject: 'The task fails.',
    },
  },
  help: {
    consequences: {
      edit: 'Your output replaces the model’s.',
      ...revising,
      instruction: 'The model tries again, with your text.',
    },
  },
  plan: {
    words: outputWording,
    consequences: {
      approve: 'This plan is carried out as it stands.',
      edit: 'Your plan replaces it.',
      rank: 'The alternative that you put first replaces it.',
      ...revising,
    },
  },
  draft: {
    words: outputWording,
    consequences: {
      approve: 'This draft goes on to verification as it stands.',
      edit: 'Your draft replaces it.',
      rank: 'The alternative that you put first replaces it.',
      ...revising,
    },
  },
  approval: {
    words: approvalWording,
    consequences: {
      approve: 'The write is made, as shown.',
      edit: 'Your arguments replace these; the policy decides again. Where you may approve them, that counts as yours.',
      instruction: 'The model plans again, with your text.',
      reject: 'This write is not made; the others go on.',
    },
  },
  doubt: {
    words: ({ context, projection, question }) => {
      const action = actionOf(context, projection, question.about);
      return {
        explanation: `Did this happen? ${action ? callSentence(action) : 'The call is no longer on record.'}`,
        payload: { action: action ? shownCall(action) : null },
      };
    },
    consequences: {
      approve: 'The write counts as done.',
      edit: 'You say whether it happened; if it did not, and may be made, it is made again.',
      reject: 'The write counts as not done and is not repeated.',
    },
  },
  tool: {
    consequences: {
      approve: 'The tool goes on.',
      edit: 'The tool goes on with your content.',
      rank: 'The tool goes on with your ranking.',
      instruction: 'The tool goes on with your text.',
      reject: 'The call fails.',
    },
  },
  host: {
    words: ({ context, projection }) => ({
      explanation: 'The agent did not come back. Approve keeps these writes, reject undoes them.',
      payload: { writes: writesMade(context, projection) },
    }),
    consequences: {
      approve: 'The writes stand, and the task ends without an answer.',
      reject: 'The writes are rolled back, newest first, and the task fails.',
    },
  },
  limit: {
    words: ({ context, projection, question: { about } }) => ({
      explanation: `${limitWords(context, about)} May the task go on, with as much again?`,
      payload: { limit: about, writes: writesMade(context, projection) },
    }),
    consequences: {
      approve: 'The task goes on, with as much again.',
      reject: 'The task fails, and its writes are rolled back, newest first.',
    },
  },
  followup: {
    consequences: {
      approve: 'The default is taken.',
      rank: 'Your choice is taken, in your order.',
      edit: 'The task begins again with your changes.',
      instruction: 'The task begins again with your text.',
      reject: 'Nothing more is done.',
    },
  },
};
