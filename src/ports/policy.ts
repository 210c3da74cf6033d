import type { EvidenceObject, Identity, RiskTier, RollbackAction } from '../../schema/index.ts';
import type { TraceContext } from './telemetry.ts';

/** How well the host knows the agent that asks: nothing vouches for it, the host does, or a proof it checked. */
export const attestationTiers = ['none', 'vouched', 'proven'] as const;
/** `none`, `vouched` or `proven`, the weakest first. */
export type AttestationTier = (typeof attestationTiers)[number];

/** Says how well the host knows an identity that was submitted: the identity's own word counts for nothing. */
export type Attest = (identity: Identity) => AttestationTier | Promise<AttestationTier>;

/** A write that is about to happen, with the evidence at hand (UAICP 5.3). */
export interface PolicyRequest {
  /** The tool's name. */
  readonly action: string;
  /** The tool's version. */
  readonly version: string;
  readonly arguments: unknown;
  readonly tier: RiskTier;
  readonly rollback: RollbackAction | null;
  /** As it was submitted; `control_class` says how far the agent acts without a person. */
  readonly identity: Identity;
  /** What the host says of that identity: never what the identity says of itself. */
  readonly attestation: AttestationTier;
  readonly taskClass: string;
  readonly requestId: string;
  readonly evidence: readonly EvidenceObject[];
}

/** What a policy says of a write, with its reasons; `needs_review` asks a person (UAICP 5.3). */
export interface PolicyDecision {
  readonly verdict: 'allow' | 'deny' | 'needs_review';
  readonly reasons: readonly string[];
  /** A system whose own authority stands behind what it allows; counts where the task class takes it (UAICP 5.3). */
  readonly authority?: string;
}

/** Decides on writes. One that throws or stays silent has not allowed anything. */
export interface Policy {
  /** Names the rules in force; an approval given under another version does not count. */
  readonly version?: string;
  readonly decide: (
    request: PolicyRequest,
    options: { readonly signal: AbortSignal } & Partial<TraceContext>,
  ) => PolicyDecision | Promise<PolicyDecision>;
}
