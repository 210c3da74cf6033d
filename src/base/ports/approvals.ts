import type { ReasonCode, RiskTier } from '../../../schema/index.ts';

/**
 * The subject of an approval: a signer signs these claims, and a token must match them. The keys are the token's
 * claims.
 */
export interface ApprovalClaims {
  readonly request_id: string;
  readonly tool: string;
  readonly tool_version: string;
  /** Digest of the action: request, tool, tool version, arguments, rollback. */
  readonly action_digest: string;
  readonly tier: RiskTier;
  /** `null` if the policy has no version. */
  readonly policy_version: string | null;
  /** Digest of the summary that the approver saw. */
  readonly summary_digest: string;
}

/** An accepted approval: its approver, its name and its expiry (milliseconds since 1970). */
export interface Grant {
  readonly approver: string;
  /** Used up once, in the same record as the intent of the effect. */
  readonly jti: string;
  readonly expiresAt: number;
}

/** The reason that a token was rejected; `explanation` never quotes the token. */
export interface ApprovalRefusal {
  readonly refused: ReasonCode;
  readonly explanation: string;
}

/** Verifies approval tokens. Without it, no token is accepted and a high-risk write waits (UAICP 5.3). */
export interface Approvals {
  /** Called when the token arrives, and again before the effect. `now` in milliseconds since 1970. */
  readonly verify: (token: string, expected: ApprovalClaims, now: number) => Promise<Grant | ApprovalRefusal>;
}
