import * as z from 'zod';
import {
  DateTime,
  EvidenceObject,
  FeedbackType,
  Identifier,
  JsonObject,
  MessageEnvelope,
  Outcome,
  ReasonCode,
  RiskTier,
  RollbackAction,
  UpFeedback,
  UpFormatMessage,
  Uuid,
  VerificationReport,
} from '../../../schema/index.ts';
import { DraftOutput } from '../../core/kernel/outputs.ts';
import { Submission } from '../../core/shell/submission.ts';

const {
  identity: _identity,
  traceparent: _traceparent,
  tracestate: _tracestate,
  label: _label,
  linkedTraces: _linkedTraces,
  ...request
} = Submission.shape;

/**
 * The request that begins a run. Its owner comes from `identity`, its trace from the headers, and its label from
 * `trusts`.
 */
export const RunRequest = z.strictObject(request);

const waits = z.boolean().optional();

/** The agent's confidence, 0 to 1. By default `unstated`: the task class decides (UpFormat 2.3). */
const confidence = z.number().min(0).max(1).exactOptional();

const ProposedCall = z.strictObject({
  tool: Identifier,
  arguments: JsonObject,
  /** The agent's id of the call. A repeated id is the same call. */
  ref: Identifier,
  confidence,
});

export const CallRequest = ProposedCall.extend({
  waits,
  /** The agent performs the call itself once it is `cleared`, and reports what came of it. */
  performs: z.literal('caller').optional(),
});

export { OutcomeReport as OutcomeRequest } from '../../core/shell/duties/caller.ts';

/** The calls of one model step, as one round of the chart. */
export const RoundRequest = z.strictObject({ calls: z.array(ProposedCall).min(1).max(64), waits });

/** A proposed answer. */
export const ConclusionRequest = DraftOutput.extend({
  canProceed: z.boolean().default(true),
  confidence,
  explanation: z.string().default(''),
  waits,
});

/** A cancellation; an urgent one aborts every tool at once. */
export const CancelRequest = z.strictObject({ urgent: z.boolean().optional() });

/** A person's answer, with a signed approval if required. */
export const FeedbackRequest = z.strictObject({
  feedback: UpFeedback,
  approval: z.string().min(1).max(65_536).optional(),
});

const ExplainedViolation = z.object({ code: ReasonCode, about: z.string(), says: z.string() });
const ExplainedReason = z.object({ ...ExplainedViolation.shape, remedy: z.string() });
const Answer = z.object({ question: z.string(), feedback: UpFeedback, by: z.string() });

const ApprovalClaims = z.object({
  request_id: z.string(),
  tool: z.string(),
  tool_version: z.string(),
  action_digest: z.string(),
  tier: RiskTier,
  policy_version: z.string().nullable(),
  summary_digest: z.string(),
});

// No type is inferred from what is sent: these schemas are declared as such, for their inferred declarations would be a
// twentieth of the package.

/** An open question. Answer it with feedback on `message.messageId`. */
export const Question: z.ZodType = z.object({
  taskId: Uuid,
  path: z.array(Uuid),
  question: z.object({
    id: z.string(),
    kind: z.enum([
      'information',
      'help',
      'plan',
      'draft',
      'approval',
      'doubt',
      'tool',
      'host',
      'limit',
      'followup',
    ]),
    about: z.string(),
    accepts: z.array(FeedbackType),
    consequences: z.partialRecord(FeedbackType, z.string()),
    deadline: DateTime.nullable(),
    byDefault: z.unknown(),
    approval: ApprovalClaims.optional(),
    needsToken: z.boolean().optional(),
  }),
  message: UpFormatMessage,
  severity: z.union([z.string(), z.number()]).optional(),
  priority: z.union([z.string(), z.number()]).optional(),
});

const Call = z.object({
  id: z.string(),
  ref: z.string().nullable(),
  tool: z.string(),
  arguments: z.unknown(),
  status: z.string(),
  code: z.string().nullable(),
  evidence: z.string().nullable(),
});

/** The state of a run, and its open questions. */
export const RunView: z.ZodType = z.object({
  taskId: Uuid,
  threadId: Uuid,
  taskClass: z.string(),
  state: z.string(),
  outcome: Outcome,
  reasons: z.array(ExplainedReason),
  isSettled: z.boolean(),
  request: JsonObject,
  attempt: z.int(),
  calls: z.array(Call),
  evidence: z.array(EvidenceObject),
  draft: JsonObject.nullable(),
  unmet: z.array(ExplainedViolation),
  answers: z.array(Answer),
  awaits: z.array(z.string()),
  questions: z.array(Question),
});

/** The ids of a run, for a caller who may not read it. */
export const RunIds: z.ZodType = z.strictObject({ taskId: Uuid, threadId: Uuid });

/** A run, as far as the caller may read it. */
export const ShownRun: z.ZodType = z.union([RunView, RunIds]);

const Paused = z.object({
  status: z.literal('paused'),
  questions: z.array(Question),
  awaits: z.array(z.string()),
});
const Refused = z.object({
  status: z.literal('refused'),
  code: ReasonCode,
  explanation: z.string(),
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
});
const Repairing = z.object({
  status: z.literal('repairing'),
  attempt: z.int(),
  unmet: z.array(ExplainedViolation),
  answers: z.array(Answer),
});
/** The message that ended the run, for an agent that may read it. */
const message = UpFormatMessage.optional();

const Ended = z.object({
  status: z.literal('ended'),
  state: z.string(),
  reasons: z.array(ExplainedReason),
  message,
});
const Done = z.object({
  status: z.literal('done'),
  result: z.unknown(),
  evidence: EvidenceObject.nullable(),
  changed: z.object({ by: z.string(), arguments: z.unknown() }).optional(),
  isRepeated: z.literal(true).optional(),
  of: z.string().optional(),
});
const Delivered = z.object({ status: z.literal('delivered'), payload: JsonObject, message });

/** A call that the agent performs now; it is told once. */
const Cleared = z.object({
  status: z.literal('cleared'),
  ref: z.string(),
  /** What was approved: a person may have changed what was proposed, and the schema of the tool has completed it. */
  arguments: z.unknown(),
  intent: z.string(),
  fence: z.int().nullable(),
  expiresAt: DateTime,
});

/** The rollbacks that the agent performs now, of calls that it performed itself. */
export const Rollbacks: z.ZodType = z.object({
  rollbacks: z.array(
    z.object({ ref: z.string(), tool: z.string(), action: RollbackAction, intent: z.string() }),
  ),
});

/** The outcome of a call. */
export const CallOutcome: z.ZodType = z.discriminatedUnion('status', [
  Cleared,
  Done,
  Paused,
  Refused,
  Repairing,
  Ended,
]);

/** The outcomes of a round, in the order of its calls. */
export const RoundOutcome: z.ZodType = z.object({ outcomes: z.array(CallOutcome) });

/** The outcome of a conclusion. */
export const Conclusion: z.ZodType = z.discriminatedUnion('status', [
  Delivered,
  Paused,
  Refused,
  Repairing,
  Ended,
]);

export const Thread: z.ZodType = z.object({ messages: z.array(UpFormatMessage) });

/** Every document that a run emitted, in order, by schema name. */
export const Documents: z.ZodType = z.object({
  documents: z.array(
    z.discriminatedUnion('name', [
      z.object({ name: z.literal('UpFormatMessage'), document: UpFormatMessage }),
      z.object({ name: z.literal('ReceivedMessage'), document: UpFormatMessage }),
      z.object({ name: z.literal('MessageEnvelope'), document: MessageEnvelope }),
      z.object({ name: z.literal('EvidenceObject'), document: EvidenceObject }),
      z.object({ name: z.literal('VerificationReport'), document: VerificationReport }),
    ]),
  ),
});
