import type { ReasonCode, RiskTier } from '../../schema/index.ts';

/** What an approval is asked for: what a signer signs, and what a token is held against. Its keys are the token's claims. */
export interface ApprovalClaims {
  readonly request_id: string;
  readonly tool: string;
  readonly tool_version: string;
  /** Digest of the action: request, tool, tool version, arguments, rollback. */
  readonly action_digest: string;
  readonly tier: RiskTier;
  /** `null` where the policy has no version. */
  readonly policy_version: string | null;
  /** Digest of what the approver was shown. */
  readonly summary_digest: string;
}

/** An approval that counts: whose it is, its name, and when it ends (milliseconds since 1970). */
export interface Grant {
  readonly approver: string;
  /** Spent once, in the same record as the intent of the effect. */
  readonly jti: string;
  readonly expiresAt: number;
}

/** Why a token does not count; `explanation` never quotes it. */
export interface ApprovalRefusal {
  readonly refused: ReasonCode;
  readonly explanation: string;
}

/** Verifies approval tokens. Where none is configured, no token is accepted and a high-risk write waits (UAICP 5.3). */
export interface Approvals {
  /** Asked when the token comes in, and again where the effect is about to happen. `now` in milliseconds since 1970. */
  readonly verify: (token: string, expected: ApprovalClaims, now: number) => Promise<Grant | ApprovalRefusal>;
}
