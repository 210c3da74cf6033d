import * as z from 'zod';

/** The reason codes that UAICP publishes. UAICP 7, baseline compliance tests. */
export const PublishedReasonCode = z.enum([
  'EVIDENCE_MISSING',
  'VERIFICATION_FAILED',
  'POLICY_BLOCKED',
  'APPROVAL_REQUIRED',
  'ROLLBACK_REQUIRED',
  'IDENTITY_INVALID',
  'TOOL_TIMEOUT',
]);
export type PublishedReasonCode = z.infer<typeof PublishedReasonCode>;

/** Why an execution failed safe or a gate says no: the published codes, then those that are ours in the same style. */
export const ReasonCode = z.enum([
  ...PublishedReasonCode.options,
  'EVIDENCE_STALE',
  'EVIDENCE_INVALID',
  'TOOL_FAILED',
  'CHILD_FAILED',
  'EFFECT_IN_DOUBT',
  'EFFECT_CLOSED',
  'AUDIT_INCOMPLETE',
  'CONFIDENCE_LOW',
  'CANNOT_PROCEED',
  'INPUT_REQUIRED',
  'OUTPUT_INVALID',
  'BEYOND_CAPABILITY',
  'MODEL_UNAVAILABLE',
  'POLICY_UNAVAILABLE',
  'BUDGET_SPENT',
  'HUMAN_REJECTED',
  'QUESTION_EXPIRED',
  'APPROVAL_EXPIRED',
  'RESUME_LOST',
  'VERSION_UNSUPPORTED',
  'GUARD_ERROR',
  'CANCELLED',
]);
export type ReasonCode = z.infer<typeof ReasonCode>;

/** What each reason code means, in one line. */
export const reasonMeaning: Readonly<Record<ReasonCode, string>> = {
  EVIDENCE_MISSING: 'The task class requires a type of evidence that no valid evidence object supplies.',
  VERIFICATION_FAILED: 'A required verifier did not report a pass of every required check.',
  POLICY_BLOCKED: 'The policy does not allow the action.',
  APPROVAL_REQUIRED: 'A high-risk write has no authority that stands.',
  ROLLBACK_REQUIRED: 'A high-risk write declares no rollback, or a rollback that is owed could not be run.',
  IDENTITY_INVALID: 'The actor is missing, unknown, or not who may do this.',
  TOOL_TIMEOUT: 'A tool or an external dependency did not answer before its deadline.',
  EVIDENCE_STALE: 'The evidence is older than the task class allows, or was superseded.',
  EVIDENCE_INVALID: 'The evidence does not fit its schema, its hash, this run, or an authorized call.',
  TOOL_FAILED: 'A tool answered with an error.',
  CHILD_FAILED: 'A call that is itself a task failed safe.',
  EFFECT_IN_DOUBT: 'An effect was begun and its outcome is unknown.',
  EFFECT_CLOSED: 'The effect already has a recorded outcome and is not performed again.',
  AUDIT_INCOMPLETE: 'A transition or a call lacks its record.',
  CONFIDENCE_LOW: "The output's confidence does not exceed the threshold of the task class.",
  CANNOT_PROCEED: 'The output says that the agent cannot proceed.',
  INPUT_REQUIRED: 'Information that only a person can give is missing.',
  OUTPUT_INVALID: "The model's output does not fit its schema.",
  BEYOND_CAPABILITY: 'The model says that the task is beyond its capability.',
  MODEL_UNAVAILABLE: 'The model did not answer before its deadline.',
  POLICY_UNAVAILABLE: 'The policy did not decide before its deadline.',
  BUDGET_SPENT: 'A bounded number of rounds, pauses, calls or model calls is used up.',
  HUMAN_REJECTED: 'A person said no.',
  QUESTION_EXPIRED: 'A question without a default was not answered before its deadline.',
  APPROVAL_EXPIRED: 'An approval expired or was spent before the effect.',
  RESUME_LOST: 'A parked task came back without the history that says where it was.',
  VERSION_UNSUPPORTED: 'A document names a version of the specification that is not spoken here.',
  GUARD_ERROR: 'Code that the host supplied threw, or did not answer in time, which counts as a refusal.',
  CANCELLED: 'Somebody cancelled the task before its completion.',
};
