import type { EvidenceObject, Identity, RiskTier, RollbackAction } from '../../schema/index.ts';

/** A write that is about to happen, with the evidence at hand (UAICP 5.3). */
export interface PolicyRequest {
  readonly action: string;
  readonly arguments: unknown;
  readonly tier: RiskTier;
  readonly rollback: RollbackAction | null;
  readonly identity: Identity;
  readonly taskClass: string;
  readonly requestId: string;
  readonly evidence: readonly EvidenceObject[];
}

export interface PolicyDecision {
  readonly verdict: 'allow' | 'deny' | 'needs_review';
  readonly reasons: readonly string[];
}

/** Decides on writes. One that throws or stays silent has not allowed anything. */
export interface Policy {
  readonly decide: (
    request: PolicyRequest,
    options: { readonly signal: AbortSignal },
  ) => PolicyDecision | Promise<PolicyDecision>;
}
