import { z } from 'zod';
import { EvidenceType, FeedbackType, Identifier, ReasonCode, RiskTier, Uuid } from '../../schema/index.ts';

/** Names a proposal or an action by its content; no space, so that it can begin a report's key. */
const digest = z.string().regex(/^[\x21-\x7e]{1,128}$/);
const attempt = { request: Uuid, attempt: z.int().nonnegative() };
const ofCall = { ...attempt, call: Identifier };

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
});
export type ProposedCall = z.infer<typeof ProposedCall>;

/** 0 to 1, or that nobody stated it (UpFormat 2.3). */
const Confidence = z.union([z.number().min(0).max(1), z.literal('unstated')]);
export type Confidence = z.infer<typeof Confidence>;

const draft = z.object({ digest, confidence: Confidence, canProceed: z.boolean() });
const plan = draft.extend({ calls: z.array(ProposedCall) });

/** Evidence as the orchestrator read it: its document and its hash are in the ledger (UAICP 5.1). */
const Evidence = z.object({
  id: Identifier,
  type: EvidenceType,
  /** Its payload says nothing: `null`, '', [] or {}. */
  empty: z.boolean().optional(),
  /** The checks of the task class that its payload passes. */
  meets: z.array(Identifier).optional(),
  /** What it is about, by check: digests of values in its payload. */
  subjects: z.record(Identifier, digest).optional(),
});

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
  }),
  defaults: z.array(z.enum(['information', 'approval', 'tool'])),
  followup: z.boolean(),
});

/** Why a call failed that is itself a task: its own reasons, the deciding one first. */
const causes = z.array(ReasonCode).max(8);

/** What may stop a run that is nobody's refusal: a broken dependency, a budget that is spent, evidence or a draft that was changed. */
const StopCode = ReasonCode.extract([
  'MODEL_UNAVAILABLE',
  'MODEL_ERROR',
  'POLICY_UNAVAILABLE',
  'POLICY_ERROR',
  'BUDGET_SPENT',
  'GUARD_ERROR',
  'EVIDENCE_HASH_MISMATCH',
  'EVIDENCE_FOREIGN',
  'OUTPUT_CHANGED',
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

const variants = [
  // the request, and what the model makes of it
  z.object({ type: z.literal('request.accepted') }),
  z.object({ type: z.literal('request.refused'), code: ReasonCode }),
  z.object({ type: z.literal('information.requested'), question: Identifier }),
  z.object({ type: z.literal('plan.proposed'), ...plan.shape }),
  z.object({ type: z.literal('draft.proposed'), ...draft.shape }),
  z.object({ type: z.literal('calls.proposed'), ...plan.shape }),
  z.object({ type: z.literal('output.rejected'), question: Identifier }),
  z.object({ type: z.literal('help.requested'), question: Identifier }),
  z.object({ type: z.literal('capability.exceeded') }),
  // clearance
  z.object({
    type: z.literal('policy.decided'),
    ...ofCall,
    digest,
    verdict: z.enum(['allow', 'deny', 'needs_review']),
  }),
  z.object({
    type: z.literal('approval.granted'),
    request: Uuid,
    digest,
    authority: z.enum(['approval', 'human', 'system']),
    approver: Identifier,
  }),
  z.object({ type: z.literal('call.cleared'), ...ofCall, digest }),
  z.object({ type: z.literal('taskClass.changed'), taskClass: TaskClassContract }),
  // calls: an intent, then an outcome
  z.object({ type: z.literal('call.started'), ...ofCall, digest }),
  z.object({
    type: z.literal('call.succeeded'),
    ...ofCall,
    evidence: Evidence,
  }),
  z.object({ type: z.literal('call.failed'), ...ofCall, code: ReasonCode, causes: causes.optional() }),
  z.object({ type: z.literal('call.doubted'), ...ofCall, code: ReasonCode, causes: causes.optional() }),
  z.object({ type: z.literal('call.refused'), ...ofCall, code: ReasonCode }),
  z.object({ type: z.literal('dependency.awaited'), ...ofCall, dependency: Identifier }),
  z.object({ type: z.literal('dependency.met'), dependency: Identifier }),
  z.object({ type: z.literal('question.raised'), ...ofCall, question: Identifier }),
  z.object({
    type: z.literal('verifier.reported'),
    ...attempt,
    verifier: Identifier,
    of: digest,
    /** How many evidence objects stood when the verifier was called. */
    evidence: z.int().nonnegative(),
    status: z.enum(['pass', 'fail']),
    /** Why the report does not count, beyond a check that failed. */
    code: ReasonCode.optional(),
  }),
  z.object({ type: z.literal('rollback.started'), request: Uuid, digest }),
  z.object({ type: z.literal('rollback.succeeded'), request: Uuid, digest }),
  z.object({ type: z.literal('rollback.failed'), request: Uuid, digest }),
  // people and time
  z.object({
    type: z.literal('human.responded'),
    question: Identifier,
    feedback: FeedbackType,
    /** Who approves; several approvers are told apart by it. */
    by: Identifier.optional(),
    /** What an edit or a ranking replaces the output with. */
    plan: plan.optional(),
    draft: draft.optional(),
    /** What an edit replaces the call with. */
    call: ProposedCall.optional(),
    /** What a person knows of an effect in doubt. */
    effect: z.enum(['done', 'absent']).optional(),
    /** A person's word that an effect in doubt happened, as evidence of type `custom`. */
    evidence: Evidence.optional(),
  }),
  z.object({ type: z.literal('deadline.passed'), of: DeadlineOf, id: z.string() }),
  z.object({ type: z.literal('followup.offered') }),
  z.object({ type: z.literal('changes.requested'), request: Uuid }),
  z.object({ type: z.literal('task.cancelled') }),
  z.object({ type: z.literal('run.failed'), code: StopCode }),
] as const;

/** Something that happened in the world: the only thing that moves a chart. */
export const Fact = z.discriminatedUnion('type', variants);
export type Fact = z.infer<typeof Fact>;
/** The name of a fact. */
export type FactType = Fact['type'];
/** The fact of this name. */
export type FactOf<Type extends FactType> = Extract<Fact, { type: Type }>;

/** Every type of fact, in the order in which a run meets them. */
export const factTypes: readonly FactType[] = variants.map((variant) => variant.shape.type.value);
