import type { EvidenceObject, Identity, RiskTier, RollbackAction } from '../../../schema/index.ts';
import type { OriginsDocument } from './origin.ts';
import type { TraceContext } from './telemetry.ts';

/** How well the host knows the requesting agent: not at all, by its own word, or by a proof that it checked. */
export const attestationTiers = ['none', 'vouched', 'proven'] as const;
/** `none`, `vouched` or `proven`, the weakest first. */
export type AttestationTier = (typeof attestationTiers)[number];

/** Returns how well the host knows a submitted identity. The identity's own claims do not count. */
export type Attest = (identity: Identity) => AttestationTier | Promise<AttestationTier>;

/** A write that is about to happen, and the evidence so far (UAICP 5.3). */
export interface PolicyRequest {
  /** The tool's name. */
  readonly action: string;
  /** The tool's version. */
  readonly version: string;
  /** After the tool's `input` schema. A policy of `createGuard` and `createOrchestrator` has their type by `action`. */
  readonly arguments: unknown;
  readonly tier: RiskTier;
  readonly rollback: RollbackAction | null;
  /** The submitted identity; `control_class` states how independently of a person the agent acts. */
  readonly identity: Identity;
  /** The host's attestation of that identity, never the identity's own claim. */
  readonly attestation: AttestationTier;
  readonly taskClass: string;
  readonly requestId: string;
  /** The payload of the request. */
  readonly request: Readonly<Record<string, unknown>>;
  /** The confidence of the plan, 0 to 1; `unstated` if the model gave none. */
  readonly confidence: number | 'unstated';
  /** Writes of this request that stand, of the same tool with the same arguments: of a tool that `repeats`, else 0. */
  readonly identical: number;
  /** Present if the caller performs the write itself, and reports what came of it. */
  readonly performs?: 'caller';
  /** Where the arguments come from. */
  readonly origins: OriginsDocument | null;
  /** Its labels are in `agentcharter:labels`, by JSON Pointer; without them it is untrusted. */
  readonly evidence: readonly EvidenceObject[];
}

/** A policy's verdict on a write, with reasons; `needs_review` asks a person (UAICP 5.3). */
export interface PolicyDecision {
  readonly verdict: 'allow' | 'deny' | 'needs_review';
  readonly reasons: readonly string[];
  /** What a `deny` ends: the run, by default, or this call alone, so that the agent learns why and goes on. */
  readonly ends?: 'call' | 'run';
  /** A system that authorizes the write; used if the task class accepts it (UAICP 5.3). */
  readonly authority?: string;
}

/** The name of a tool and the arguments of its call, after its `input` schema. */
export type PolicyAction = Pick<PolicyRequest, 'action' | 'arguments'>;

/** Decides on writes. An error or a timeout does not allow anything. */
export interface Policy<Action extends PolicyAction = PolicyAction> {
  /**
   * The version of the rules in force. A signed approval of another version is rejected. After any other approval, the
   * version in force decides again before the write begins: `deny` stops it, `allow` and `needs_review` keep the
   * approval. Without a version, the policy is asked before each write begins.
   */
  readonly version?: string;
  decide(
    request: PolicyRequest & Action,
    options: { readonly signal: AbortSignal } & Partial<TraceContext>,
  ): PolicyDecision | Promise<PolicyDecision>;
}

/** The tools and task classes that a rule of a policy names. */
export interface RuleNames<Name extends string = string, Id extends string = string> {
  /** The rule, as an error names it. */
  readonly rule: string;
  readonly tools: readonly Name[];
  readonly taskClasses: readonly Id[];
}

/** A policy of rules: an orchestrator refuses it if they name a tool or a task class that does not exist. */
export interface PolicyOfRules<Name extends string = string, Id extends string = string> extends Policy {
  readonly ruleNames: readonly RuleNames<Name, Id>[];
}

/** The names that the rules of a policy may have. Names that are known at run time only are not checked here. */
export type RulesOf<Name extends string, Id extends string> = [string, string] extends [Name, Id]
  ? unknown
  : Partial<Pick<PolicyOfRules<Name, Id>, 'ruleNames'>>;
