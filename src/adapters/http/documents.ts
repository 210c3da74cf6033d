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
  UpFeedback,
  UpFormatMessage,
  Uuid,
  VerificationReport,
} from '../../../schema/index.ts';
import { DraftOutput } from '../../orchestrator/outputs.ts';
import { Submission } from '../../orchestrator/submission.ts';

const {
  identity: _identity,
  traceparent: _traceparent,
  tracestate: _tracestate,
  ...request
} = Submission.shape;

/** What a run is begun with; whose it is, the host says, and its trace comes in its headers. */
export const RunRequest = z.strictObject(request);

const waits = z.boolean().optional();

/** How sure the agent is, 0 to 1. By default `unstated`: the task class says what follows (UpFormat 2.3). */
const confidence = z.number().min(0).max(1).exactOptional();

const ProposedCall = z.strictObject({
  tool: Identifier,
  arguments: JsonObject,
  /** What its agent calls it: sent again under it, it is the same call. */
  ref: Identifier,
  confidence,
});

export const CallRequest = ProposedCall.extend({ waits });

/** Calls of one step of a model: one round of the chart. */
export const RoundRequest = z.strictObject({ calls: z.array(ProposedCall).min(1).max(64), waits });

/** An answer that is proposed. */
export const ConclusionRequest = DraftOutput.extend({
  canProceed: z.boolean().default(true),
  confidence,
  explanation: z.string().default(''),
  waits,
});

/** Nothing is said with it. */
export const CancelRequest = z.strictObject({});

/** An answer of a person, and the signed approval where one is asked for. */
export const FeedbackRequest = z.strictObject({
  feedback: UpFeedback,
  approval: z.string().min(1).max(65_536).optional(),
});

const Violation = z.object({ code: ReasonCode, about: z.string() });
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

/** A question that waits for a person; feedback on `message.messageId` answers it. */
export const Question = z.object({
  taskId: Uuid,
  path: z.array(Uuid),
  question: z.object({
    id: z.string(),
    kind: z.enum(['information', 'help', 'plan', 'draft', 'approval', 'doubt', 'tool', 'host', 'followup']),
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

/** How a run stands, and what people are asked in it. */
export const RunView = z.object({
  taskId: Uuid,
  threadId: Uuid,
  taskClass: z.string(),
  state: z.string(),
  outcome: Outcome,
  reasons: z.array(Violation),
  isSettled: z.boolean(),
  request: JsonObject,
  attempt: z.int(),
  calls: z.array(Call),
  evidence: z.array(EvidenceObject),
  draft: JsonObject.nullable(),
  unmet: z.array(Violation),
  answers: z.array(Answer),
  awaits: z.array(z.string()),
  questions: z.array(Question),
});

/** What a caller who may not read a run is shown of it: which one it is. */
export const RunIds = z.strictObject({ taskId: Uuid, threadId: Uuid });

/** A run as far as the caller may read it. */
export const ShownRun = z.union([RunView, RunIds]);

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
  unmet: z.array(Violation),
  answers: z.array(Answer),
});
const Ended = z.object({ status: z.literal('ended'), state: z.string(), reasons: z.array(Violation) });
const Done = z.object({
  status: z.literal('done'),
  result: z.unknown(),
  evidence: EvidenceObject.nullable(),
});
const Delivered = z.object({ status: z.literal('delivered'), payload: JsonObject });

/** What became of a call. */
export const CallOutcome = z.discriminatedUnion('status', [Done, Paused, Refused, Repairing, Ended]);

/** What became of the calls of a round, in their order. */
export const RoundOutcome = z.object({ outcomes: z.array(CallOutcome) });

/** What became of a conclusion. */
export const Conclusion = z.discriminatedUnion('status', [Delivered, Paused, Refused, Repairing, Ended]);

export const Thread = z.object({ messages: z.array(UpFormatMessage) });

/** Every document that a run emitted, in order, each under the name of its schema. */
export const Documents = z.object({
  documents: z.array(
    z.discriminatedUnion('name', [
      z.object({ name: z.literal('UpFormatMessage'), document: UpFormatMessage }),
      z.object({ name: z.literal('MessageEnvelope'), document: MessageEnvelope }),
      z.object({ name: z.literal('EvidenceObject'), document: EvidenceObject }),
      z.object({ name: z.literal('VerificationReport'), document: VerificationReport }),
    ]),
  ),
});
