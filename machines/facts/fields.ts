import { z } from 'zod';
import { EvidenceType, Identifier, ReasonCode, RiskTier, Uuid } from '../../schema/index.ts';

/** Names a proposal or an action by its content; no space, so that it can begin a report's key. */
export const digest = z.string().regex(/^[\x21-\x7e]{1,128}$/);
export const attempt = { request: Uuid, attempt: z.int().nonnegative() };
export const ofCall = { ...attempt, call: Identifier };

/** Why a call is held: where its values come from, or its tool, is not what was declared. */
export const HeldCode = ReasonCode.extract(['FLOW_FORBIDDEN', 'MANDATE_EXCEEDED']);
export type HeldCode = z.infer<typeof HeldCode>;

/** A call that the model proposes, as the orchestrator read it: the tier is the tool definition's (UAICP 5.3). */
export const ProposedCall = z.object({
  id: Identifier,
  tool: Identifier,
  tier: RiskTier,
  /** Of request, tool, tool version, arguments and rollback: the action, whatever the call is named. */
  digest,
  rollback: z.boolean(),
  /** What the call is about, by the check that compares it with evidence: digests of values in its arguments. */
  subjects: z.record(Identifier, digest).optional(),
  /** Why a person has to endorse it before it is made; never on a `read_only` call. */
  held: z.array(HeldCode).min(1).max(2).optional(),
});
export type ProposedCall = z.infer<typeof ProposedCall>;

/** 0 to 1, or that nobody stated it (UpFormat 2.3). */
const Confidence = z.union([z.number().min(0).max(1), z.literal('unstated')]);
export type Confidence = z.infer<typeof Confidence>;

export const draft = z.object({ digest, confidence: Confidence, canProceed: z.boolean() });
export const plan = draft.extend({ calls: z.array(ProposedCall) });
export type Plan = z.infer<typeof plan>;

/** Evidence as the orchestrator read it: its document and its hash are in the ledger (UAICP 5.1). */
export const Evidence = z.object({
  id: Identifier,
  type: EvidenceType,
  /** Its payload says nothing: `null`, '', [] or {}. */
  empty: z.boolean().optional(),
  /** The checks of the task class that its payload passes. */
  meets: z.array(Identifier).optional(),
  /** What it is about, by check: digests of values in its payload. */
  subjects: z.record(Identifier, digest).optional(),
});
export type Evidence = z.infer<typeof Evidence>;

const Count = z.int().nonnegative();

const Clause = z.strictObject({
  type: EvidenceType,
  tool: Identifier.optional(),
  allowEmpty: z.literal(true).optional(),
  byPerson: z.literal(true).optional(),
  check: Identifier.optional(),
  ofAction: z.literal(true).optional(),
});
const Requirements = z.strictObject({
  evidence: z.array(z.union([Clause, z.strictObject({ anyOf: z.array(Clause).min(1) })])),
  verifiers: z.array(Identifier),
});

/** A task class as data: what is in force now, whatever the task began under. */
export const TaskClassContract = z.strictObject({
  id: Identifier,
  threshold: z.number().min(0).max(1),
  unstated: z.enum(['ask', 'proceed']),
  tools: z.array(Identifier).optional(),
  host: z.boolean(),
  beforeWrite: Requirements,
  beforeDeliver: Requirements,
  authorities: z.array(z.enum(['approval', 'human', 'system'])),
  approvers: z.int().positive(),
  selfApproval: z.boolean(),
  repairTo: z.enum(['plan', 'execute']),
  limits: z.strictObject({
    corrections: Count,
    repairs: Count,
    rounds: Count,
    revisions: Count,
    refreshes: Count,
    pauses: Count,
    clearances: Count,
    modelCalls: Count,
    calls: Count,
    recoveries: Count,
  }),
  defaults: z.array(z.enum(['information', 'approval', 'tool'])),
  flows: z.literal('refuse').optional(),
  followup: z.boolean(),
});

/** Why a call failed that is itself a task: its own reasons, the deciding one first. */
export const causes = z.array(ReasonCode).max(8);

/** Why the orchestrator stops a run: a model, a policy or a callback of the host fails. */
export const StopCode = ReasonCode.extract([
  'MODEL_UNAVAILABLE',
  'MODEL_ERROR',
  'POLICY_UNAVAILABLE',
  'POLICY_ERROR',
  'GUARD_ERROR',
]);

/** The duties whose deadline may pass. */
export const DeadlineOf = z.enum([
  'accept',
  'model',
  'host',
  'policy',
  'start',
  'call',
  'verifier',
  'question',
  'dependency',
  'approval',
  'evidence',
  'rollback',
  'offer',
  'followup',
]);
export type DeadlineOf = z.infer<typeof DeadlineOf>;

/** Codes of a call that cannot be made any more, whatever clears it. */
const gone: ReadonlySet<ReasonCode> = new Set(['TOOL_CHANGED', 'TOOL_UNAVAILABLE'] satisfies ReasonCode[]);

/** Whether the tool of a call was replaced or is missing: no clearance lets the call begin. */
export const isGone = (code: ReasonCode): boolean => gone.has(code);
