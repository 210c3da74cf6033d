import { clausesOf, type Context, type Violation } from '../../../machines/index.ts';
import { reasonMeaning, Uuid, type ReasonCode } from '../../../schema/index.ts';
import { callSentence } from '../../base/boundary/call-sentence.ts';
import { lazily } from '../../base/boundary/lazily.ts';
import type { CallDocument } from '../../base/ports/ledger.ts';
import { oneLine } from '../../base/text/foreign-text.ts';
import type { Projection } from './projection/projection.ts';
import { editorOf } from './projection/proposals.ts';
import { currentEvidence } from './view.ts';

/** A requirement that was not met: its code, its subject, and both in words. */
export interface ExplainedViolation extends Violation {
  /** Which requirement was not met, in the words of its tool and its task class. */
  readonly says: string;
}

/** A reason why a run ended without an answer. */
export interface ExplainedReason extends ExplainedViolation {
  /** What a person can do. */
  readonly remedy: string;
}

/** Why a run failed, in words. */
export type FailureWords = Omit<ExplainedReason, keyof Violation>;

const again = 'Submit the task again.';
const byHand = 'Find out what happened, and undo it by hand if it must not stand.';
const approveAnew = 'Submit again, and approve with a new token for the action as shown.';
const fixAgent = 'Correct the model or the agent, then submit again.';
const fixHost = 'Correct the function that the error event names, then submit again.';
const fixTool = 'Correct the tool, or wait until its service is back; then submit again.';
const fixVerifier = 'Correct the verifier, then submit again.';
const audit = 'Verify the ledger before you trust what it says.';

/** The evidence key that marks a person's statement, not a tool's result. */
export const byPersonKey = 'agentcharter:byPerson';

/** What a person can do about each reason. */
const remedies: Readonly<Record<ReasonCode, string>> = {
  EVIDENCE_MISSING: 'Submit again with what the agent needs to collect it, or change the task class.',
  VERIFICATION_FAILED: 'Read what the verifier found, correct the request or the agent, and submit again.',
  FLOW_FORBIDDEN: 'Submit again with these values in the request, or let a person endorse the call.',
  MANDATE_EXCEEDED: 'Submit again with the tool in the mandate, or let a person endorse the call.',
  POLICY_BLOCKED: 'Ask for something that the policy allows, or change the policy.',
  APPROVAL_REQUIRED: 'Submit again, and let a person approve the action in time.',
  ROLLBACK_REQUIRED: byHand,
  IDENTITY_INVALID: 'Send it under an identity that may do this.',
  TOOL_TIMEOUT: 'Submit again when the service answers, or raise the deadline in the task class.',
  EVIDENCE_STALE: 'Submit again, so that it is collected anew; or raise maxAge of the task class.',
  EVIDENCE_INVALID: fixTool,
  EVIDENCE_HASH_MISMATCH: audit,
  EVIDENCE_FOREIGN: fixTool,
  EVIDENCE_FROM_FUTURE: 'Set the clocks, then submit again.',
  VERIFIER_ERROR: fixVerifier,
  VERIFIER_TIMEOUT: 'Submit again, or raise deadlines.verifier of the task class.',
  REPORT_INVALID: fixVerifier,
  REPORT_FOREIGN: fixVerifier,
  REPORT_EVIDENCE_MISMATCH: fixVerifier,
  REPORT_CONTRADICTORY: fixVerifier,
  TOOL_FAILED: fixTool,
  TOOL_CHANGED: again,
  TOOL_UNAVAILABLE: 'Give the tool to the orchestrator and to the task class, then submit again.',
  CALL_NOT_STARTED: 'Give the tool to the orchestrator, or raise its concurrency; then submit again.',
  CHILD_FAILED: 'Read why the task of this call failed, then submit again.',
  EFFECT_IN_DOUBT: byHand,
  EFFECT_CLOSED: 'It was done or ruled out before: ask for another action.',
  PROPOSAL_CHANGED: fixAgent,
  AUDIT_INCOMPLETE: again,
  CONFIDENCE_LOW: 'Give the agent more to go on, or lower the threshold of the task class.',
  OUTPUT_MISSING: fixAgent,
  CANNOT_PROCEED: 'Give the agent what it lacks, then submit again.',
  INPUT_REQUIRED: 'Submit again with this information.',
  OUTPUT_INVALID: fixAgent,
  OUTPUT_CHANGED: audit,
  BEYOND_CAPABILITY: 'Give the task to a person, or to another agent.',
  MODEL_UNAVAILABLE: 'Submit again when the model answers, or raise deadlines.model.',
  MODEL_ERROR: fixAgent,
  HOST_UNAVAILABLE: 'Start the host of the agent, then submit again.',
  POLICY_UNAVAILABLE: 'Submit again when the policy answers, or raise deadlines.policy.',
  POLICY_ERROR: 'Correct the policy, then submit again.',
  POLICY_CHANGED: 'Submit again: the current policy decides.',
  TASK_CLASS_CHANGED: 'Submit again: the current task class applies.',
  BUDGET_SPENT: 'Ask for less, or raise this limit of the task class.',
  HUMAN_REJECTED: 'Ask who rejected it what they expect, and submit again.',
  QUESTION_EXPIRED: 'Submit again, and answer in time; or raise deadlines.question.',
  APPROVAL_MALFORMED: approveAnew,
  APPROVAL_TYPE_WRONG: approveAnew,
  APPROVAL_ALGORITHM_WRONG: approveAnew,
  APPROVAL_KEY_UNKNOWN: approveAnew,
  APPROVAL_SIGNATURE_WRONG: approveAnew,
  APPROVAL_SUBJECT_MISMATCH: approveAnew,
  APPROVAL_ISSUER_WRONG: approveAnew,
  APPROVAL_AUDIENCE_WRONG: approveAnew,
  APPROVAL_EXPIRED: approveAnew,
  APPROVAL_NOT_YET_VALID: approveAnew,
  APPROVAL_REQUEST_MISMATCH: approveAnew,
  APPROVAL_CALL_MISMATCH: approveAnew,
  APPROVAL_ARGUMENTS_MISMATCH: approveAnew,
  APPROVAL_SUMMARY_MISMATCH: approveAnew,
  APPROVAL_TIER_MISMATCH: approveAnew,
  APPROVAL_POLICY_MISMATCH: approveAnew,
  APPROVAL_REJECTED: approveAnew,
  APPROVAL_SPENT: approveAnew,
  APPROVER_IS_REQUESTER: 'Submit again, and let another person approve.',
  APPROVER_REPEATED: 'Submit again, and let different people approve.',
  APPROVER_WITHDRAWN: 'Submit again, and let a person approve who may.',
  RESUME_LOST: again,
  VERSION_UNSUPPORTED: 'Update agentcharter, or the sender of the document.',
  GUARD_ERROR: fixHost,
  CANCELLED: again,
};

/** What the `about` of a reason names. */
interface Subject {
  readonly context: Context;
  readonly projection: Projection;
  /** The task class, as its author named it. */
  readonly taskClass: string;
  readonly about: string;
  readonly call: CallDocument | undefined;
}

/** Returns evidence as a requirement names it: `type`, or `type:tool`, some of them in the alternative. */
const evidenceWords = (about: string): string =>
  about
    .split(' or ')
    .map((one) => {
      const [type = '', tool] = one.split(':');
      const kind = type === 'tool_result' ? 'a result' : `evidence of type ${oneLine(type)}`;
      return tool === undefined ? kind : `${kind} of tool ${oneLine(tool)}`;
    })
    .join(' or ');

/** Returns the call that a reason names by its id, its digest, or the question about it. */
const callOf = ({ calls, concluded }: Projection, about: string): CallDocument | undefined => {
  const key = about.replace(/^(?:approval|doubt|tool):/, '');
  const all = [...Object.values(calls), ...concluded.flatMap(({ call }) => call ?? [])];
  return all.find(({ id, digest }) => id === key || digest === key);
};

/** Returns where a requirement stands: before each write, or before delivery. */
const gateOf = ({ taskClass: { beforeWrite } }: Context, about: string): string => {
  const named = about.split(' or ')[0] ?? '';
  const isBeforeWrite = beforeWrite.evidence.some((one) =>
    clausesOf(one).some(({ type, tool }) => (tool === undefined ? type : `${type}:${tool}`) === named),
  );
  return isBeforeWrite ? 'before each write' : 'before delivery';
};

const namedOutput = (about: string): string => (about === 'draft' ? 'the answer' : 'the plan');

/** Returns how much a limit allowed, and that it is used up; `null` for what is no limit of the task class. */
export const limitWords = ({ taskClass, extensions }: Context, about: string): string | null => {
  const most = new Map(Object.entries(taskClass.limits)).get(about);
  if (most === undefined) return null;
  const more = new Map<string, number>(Object.entries(extensions ?? {})).get(about) ?? 0;
  const again =
    more === 0 ? '' : `, and people allowed as much again ${more === 1 ? 'once' : `${more} times`}`;
  return `Task class ${JSON.stringify(taskClass.id)} allows limits.${oneLine(about)} = ${most}${again}, which is used up.`;
};

/** Returns that nothing counts for required evidence, and why not, though a tool or a person said something. */
const noneCounts = ({ context, projection, about }: Subject): string => {
  const tools = about.split(' or ').map((one) => one.split(':')[1]);
  // while the run goes on, the words are about its last attempt
  const since = context.reasons.length > 0 ? [] : currentEvidence(context, projection);
  const found = Object.values(projection.evidence).filter(
    (one) => !since.includes(one) && (tools.includes(one.source) || tools.includes(undefined)),
  );
  if (found.length === 0) return 'there is none';
  return found.every((one) => one[byPersonKey] === true)
    ? 'what a person says counts only with `byPerson`'
    : 'none that there is counts: it is empty, about something else, or of an earlier attempt';
};

const evidenceLacking =
  (state: (subject: Subject) => string) =>
  (subject: Subject): string | null => {
    const { context, taskClass, about, call } = subject;
    if (call !== undefined) return null;
    return `Task class ${taskClass} requires ${evidenceWords(about)} ${gateOf(context, about)}, and ${state(subject)}.`;
  };

/** What was not met, for the reasons whose subject says more than their meaning; `null` where it does not. */
const specials: Readonly<Partial<Record<ReasonCode, (subject: Subject) => string | null>>> = {
  EVIDENCE_MISSING: evidenceLacking(noneCounts),
  EVIDENCE_STALE: evidenceLacking(() => 'what there is grew too old'),
  VERIFICATION_FAILED: ({ taskClass, about }) =>
    `Task class ${taskClass} requires verifier ${oneLine(about)} to pass, and it did not.`,
  CONFIDENCE_LOW: ({ context, taskClass, about }) =>
    `Task class ${taskClass} requires a confidence above ${context.taskClass.threshold} for ${namedOutput(about)}.`,
  CANNOT_PROCEED: ({ about }) => `The agent says that it cannot proceed with ${namedOutput(about)}.`,
  BUDGET_SPENT: ({ context, about }) => limitWords(context, about),
  APPROVAL_REQUIRED: ({ context, taskClass, call }) => {
    const { approvers } = context.taskClass;
    const people = approvers > 1 ? `${approvers} people to approve` : 'an approval of';
    return call === undefined
      ? null
      : `Task class ${taskClass} requires ${people} this write: ${callSentence(call)}`;
  },
};

/** Subjects that no author named. */
const ours = new Set(['run', 'request', 'task', 'output', 'plan', 'draft', 'further']);

/** Whether the subject of a reason is a name that people gave, such as a verifier, and no identifier of ours. */
const isName = (about: string): boolean =>
  /^[\w.-]{1,64}$/.test(about) && !ours.has(about) && !Uuid.safeParse(about).success;

const meaningOf = (code: ReasonCode, { about, call, projection }: Subject): string => {
  const meaning = reasonMeaning[code];
  if (call === undefined) return isName(about) ? `${about}: ${meaning}` : meaning;
  const why = code === 'POLICY_BLOCKED' ? (projection.decisions[call.id]?.reasons ?? []) : [];
  const because = why.length === 0 ? '' : ` It says: ${why.map(oneLine).join('; ')}.`;
  const editor = editorOf(projection.proposals, call);
  const changed = editor === undefined ? '' : `, as ${oneLine(editor)} changed it`;
  return `${callSentence(call).replace(/\.$/, '')}${changed}: ${meaning}${because}`;
};

/**
 * Returns a reason of a failed run in the words of its tool and its task class (UAICP 7). `shown` replaces a call by what
 * the reader may see of it.
 */
export const failureWords = (
  { code, about }: Violation,
  context: Context,
  projection: Projection,
  shown: (call: CallDocument) => CallDocument = (call) => call,
): FailureWords => {
  const named = callOf(projection, about);
  const call = named && shown(named);
  const taskClass = JSON.stringify(projection.request.taskClass);
  const subject = { context, projection, taskClass, about, call };
  return { says: specials[code]?.(subject) ?? meaningOf(code, subject), remedy: remedies[code] };
};

const known = lazily(() => ({
  meanings: new Map(Object.entries(reasonMeaning)),
  remedies: new Map(Object.entries(remedies)),
}));

/** Returns a reason in words that do not depend on its task; for a code of another version, the code alone. */
export const plainWords = ({ code }: Violation): FailureWords => {
  const { meanings, remedies: ways } = known();
  return { says: meanings.get(code) ?? code, remedy: ways.get(code) ?? '' };
};
