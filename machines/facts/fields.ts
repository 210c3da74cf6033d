import { z } from 'zod';
import { EvidenceType, Identifier, ReasonCode, RiskTier, Uuid } from '../../schema/index.ts';

/** The digest of a proposal or an action. It has no space, so that it can be the first part of a report's key. */
export const digest = z.string().regex(/^[\x21-\x7e]{1,128}$/);
export const attempt = { request: Uuid, attempt: z.int().nonnegative() };
export const ofCall = { ...attempt, call: Identifier };

/** Why a call is held: the origin of a value is not accepted, or the tool was not fixed for the run. */
export const HeldCode = ReasonCode.extract(['FLOW_FORBIDDEN', 'MANDATE_EXCEEDED']);
export type HeldCode = z.infer<typeof HeldCode>;

/** A call that the model proposes, as the orchestrator read it. The tier is that of the tool definition (UAICP 5.3). */
export const ProposedCall = z.object({
  id: Identifier,
  tool: Identifier,
  tier: RiskTier,
  /** The digest of the action: request, tool, tool version, arguments and rollback, but not the id of the call. */
  digest,
  rollback: z.boolean(),
  /**
   * The values in the arguments that the call is about: their digests, by the check that compares them with evidence.
   */
  subjects: z.record(Identifier, digest).optional(),
  /** Why the call is held. */
  held: z.array(HeldCode).min(1).max(2).optional(),
  /** Whether the write waits until every write of its step may be made. */
  together: z.literal(true).optional(),
  /** The calls that the write comes after, by id. */
  after: z.array(Identifier).min(1).optional(),
});
export type ProposedCall = z.infer<typeof ProposedCall>;

/** A number from 0 to 1, or `unstated` (UpFormat 2.3). */
const Confidence = z.union([z.number().min(0).max(1), z.literal('unstated')]);
export type Confidence = z.infer<typeof Confidence>;

export const draft = z.object({ digest, confidence: Confidence, canProceed: z.boolean() });
export const plan = draft.extend({ calls: z.array(ProposedCall) });
export type Plan = z.infer<typeof plan>;

/** Evidence as the orchestrator read it. Its document and its hash are in the ledger (UAICP 5.1). */
export const Evidence = z.object({
  id: Identifier,
  type: EvidenceType,
  /** Whether the payload is empty: `null`, '', [] or {}. */
  empty: z.boolean().optional(),
  /** The checks of the task class that the payload passes. */
  meets: z.array(Identifier).optional(),
  /** The values in the payload that it is about: their digests, by check. */
  subjects: z.record(Identifier, digest).optional(),
});
export type Evidence = z.infer<typeof Evidence>;

/** Why a child task failed: its own reasons, the deciding one first. */
export const causes = z.array(ReasonCode).max(8);

/** Why the orchestrator stops a run: a model, a policy or a callback of the host failed. */
export const StopCode = ReasonCode.extract([
  'MODEL_UNAVAILABLE',
  'MODEL_ERROR',
  'POLICY_UNAVAILABLE',
  'POLICY_ERROR',
  'GUARD_ERROR',
]);

/** What has not come in time, by kind of deadline. */
export const waits = {
  accept: 'the request was not accepted in time',
  model: 'the model did not answer in time',
  host: 'the agent did not answer in time',
  policy: 'the policy did not decide in time',
  start: 'the call did not begin in time',
  call: 'the tool did not answer in time',
  verifier: 'a verifier did not answer in time',
  question: 'no one answered in time',
  dependency: 'nothing arrived in time',
  approval: 'an approval expired',
  evidence: 'evidence grew too old',
  rollback: 'a rollback did not end in time',
  offer: 'the refinement was not offered in time',
  followup: 'no one refined the answer in time',
} as const;

/** The kinds of deadlines: of duties, of approvals and of evidence. */
export const DeadlineOf = z.enum(Object.keys(waits) as (keyof typeof waits)[]); // `waits` has no other keys
export type DeadlineOf = z.infer<typeof DeadlineOf>;

/** The codes of a call that can no longer start, even with a clearance. */
const gone: ReadonlySet<ReasonCode> = new Set(['TOOL_CHANGED', 'TOOL_UNAVAILABLE'] satisfies ReasonCode[]);

/** Returns whether a code says that the tool of a call changed or is missing. No clearance lets such a call start. */
export const isGone = (code: ReasonCode): boolean => gone.has(code);
