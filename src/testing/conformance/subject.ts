import type { Identity, Outcome, Phase, RiskTier, RollbackAction } from '../../../schema/index.ts';
import type { Clock } from '../../ports/clock.ts';
import type { RollbackDescription } from '../../ports/tool.ts';

/**
 * An orchestrator under test, behind a small adapter: the kit brings the world (model, tools, verifiers, policy, clock),
 * watches what is called, and reads the phase and the documents (UAICP 8).
 */
export interface Subject {
  readonly name: string;
  /** What the orchestrator has no means for: a rule that needs it is reported as not offered, and never as held. */
  readonly lacks: readonly Capability[];
  /** Begins a run, and does not wait for it: a tool may never answer. Each scenario has a run of its own. */
  readonly start: (scenario: Scenario) => Run | Promise<Run>;
  /**
   * Whether an envelope from outside is let in (UAICP 9); left out where `versions` is lacking. It is shown one that the
   * subject emitted itself, and the same one of a version that nobody speaks. What throws is not let in.
   */
  readonly admits?: (envelope: unknown) => unknown;
  /** How the orchestrator hashes a payload; `sha256:` and the hex SHA-256 of its RFC 8785 form where left out. */
  readonly hash?: (payload: unknown) => string;
}

/** What an orchestrator may or may not have; each is named by at least one rule that needs it. */
export const capabilities = [
  /** Tells UAICP phases as they are entered, as envelopes. */
  'envelopes',
  /** Emits evidence objects for what tools return. */
  'evidence',
  /** Takes evidence objects that another party made: from a tool (`kind: 'evidence'`) and from outside. */
  'foreign evidence',
  /** Emits verification reports. */
  'reports',
  /** Keeps an audit record of every transition and every call. */
  'audit',
  /** Ends a run that fails with reason codes. */
  'reason codes',
  /** Asks a verifier before it delivers. */
  'verifiers',
  /** Asks verifiers before it writes. */
  'verifiers before a write',
  /** Asks a policy before it writes. */
  'policy',
  /** Waits for an approval before a high-risk write. */
  'approvals',
  /** Undoes writes when a run fails. */
  'rollback',
  /** Can be cancelled. */
  'cancel',
  /** Gives up on what does not answer in time, by the scenario's clock. */
  'deadlines',
  /** Tries again after an unmet invariant, so many times. */
  'repair',
  /** Shows parts of a draft before it is delivered. */
  'streaming',
  /** Reads envelopes from outside, and their `uaicp_version`. */
  'versions',
] as const;
/** One of `capabilities`. */
export type Capability = (typeof capabilities)[number];

/** A run under way. Nothing here throws where the orchestrator refuses: what throws is reported as a broken rule. */
export interface Run {
  /** States a fact to the run, and does not wait for what comes of it. `refused` where it was not let in. */
  readonly state: (fact: Fact) => Promise<'taken' | 'refused'>;
  /** Resolves once the run has ended or waits for a fact; not before, while a tool, a verifier or a model is asked. */
  readonly quiet: () => Promise<void>;
  /** The phase that the run is in (UAICP 3); `fail_safe` for a run that ended without delivering. */
  readonly phase: () => Phase | Promise<Phase>;
  /** What the run has emitted until now. */
  readonly documents: () => Documents | Promise<Documents>;
  /** Lets go of what the run holds. */
  readonly close?: () => void | Promise<void>;
}

/** What happens to a run from outside. */
export type Fact =
  /** Somebody presents an approval, of which not everything needs to be right. */
  | { readonly type: 'approval.presented'; readonly approval: Approval }
  /** A person refuses a write that waits for approval. */
  | { readonly type: 'approval.refused'; readonly by: string; readonly action: ProposedCall }
  | { readonly type: 'run.cancelled'; readonly by: string }
  /** An evidence object comes in, which no call of this run has brought. */
  | { readonly type: 'evidence.arrived'; readonly evidence: unknown }
  /** The scenario's clock has been set forward, and its alarms have rung. */
  | { readonly type: 'time.passed'; readonly milliseconds: number };

/**
 * A person's decision, to be put into the orchestrator's own form: a signed token, a resumed interrupt, a row in a table.
 * The adapter translates it as it is, also where it should not count.
 */
export interface Approval {
  /** Its name: an approval of the same name is the same approval. */
  readonly id: string;
  readonly approver: string;
  readonly decision: 'approve' | 'reject';
  /** Exactly what it is for. */
  readonly action: ProposedCall;
  /** The request that it is for, as a tool would be told it; `null` for the run that it is presented to. */
  readonly request_id: string | null;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Signed by somebody whom nobody trusts, or by nobody: a scheme without signatures shows it as an unknown approver. */
  readonly isForged: boolean;
}

/** What the orchestrator is configured with for one run, as its user would. */
export interface Scenario {
  readonly id: string;
  readonly request: {
    readonly payload: Json;
    readonly explanation: string;
    readonly identity: Identity;
    /** The trace of the orchestrator that this run is nested in; `null` where it is not (UAICP 4.3). */
    readonly parent_trace_id: string | null;
  };
  /** Time, which passes only when the kit says so. */
  readonly clock: Clock;
  /** The model: what it would call in this attempt, 0 for the first (UAICP 3, data flow). Untrusted. */
  readonly plan: (attempt: number) => Promise<readonly ProposedCall[]>;
  /** The model: what it would deliver, from the calls of this attempt. */
  readonly draft: (attempt: number) => Promise<Draft>;
  readonly tools: readonly ScenarioTool[];
  readonly verifiers: readonly ScenarioVerifier[];
  /** Decides on a write. May throw. */
  readonly policy: (action: ProposedCall) => Promise<'allow' | 'deny'>;
  /** What must stand before any write, and before `deliver` (UAICP 5.1, 5.2). */
  readonly requires: { readonly beforeWrite: Required; readonly beforeDeliver: Required };
  /** How many repairs are allowed (UAICP 4.1); a repair begins with a new plan. */
  readonly repairs: number;
  /** Milliseconds after which evidence is too old to count. */
  readonly maxAge: number;
  /** Milliseconds that each may take. */
  readonly deadlines: { readonly call: number; readonly verifier: number };
}

/** Any JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** A call as a model proposes it. */
export interface ProposedCall {
  readonly tool: string;
  readonly arguments: Json;
}

/** What a model would deliver; where it has `chunks`, they are to be streamed first, and together are the payload's JSON. */
export interface Draft {
  readonly payload: Json;
  readonly chunks: readonly string[];
}

/** Evidence of a tool, and verifiers by id. */
export interface Required {
  /** Names of tools of which a `tool_result` must stand. */
  readonly evidence: readonly string[];
  readonly verifiers: readonly string[];
}

/** The run that a tool is called for. */
export interface CallOf {
  readonly request_id: string;
  readonly trace_id: string;
}

/** A tool of the kit's, which remembers every call (UAICP 2). Its `call` may reject, or never answer. */
export interface ScenarioTool {
  readonly name: string;
  readonly tier: RiskTier;
  /** `of` is the run's own, as its documents name it. */
  readonly call: (input: Json, of: CallOf) => Promise<ToolAnswer>;
  /** How a write is inverted (UAICP 5.3); `null` where nobody knows. */
  readonly rollback: {
    readonly describe: (input: Json) => RollbackDescription;
    readonly run: (action: RollbackAction) => Promise<void>;
  } | null;
}

/** What a tool answers: its result, of which the orchestrator makes evidence, or an evidence object made elsewhere. */
export type ToolAnswer =
  | { readonly kind: 'result'; readonly payload: Json }
  | { readonly kind: 'evidence'; readonly evidence: Json };

/** A verifier of the kit's (UAICP 2). It may reject, never answer, or say one thing in its status and another in its checks. */
export interface ScenarioVerifier {
  readonly id: string;
  readonly verify: (subject: {
    /** The draft's payload, or the write that is about to happen. */
    readonly value: unknown;
    /** The evidence that stands, as documents. */
    readonly evidence: readonly unknown[];
  }) => Promise<Findings>;
}

/** What a verifier says; the orchestrator makes a verification report of it. */
export interface Findings {
  readonly status: 'pass' | 'fail' | 'partial';
  readonly checks: readonly { readonly check_id: string; readonly result: 'pass' | 'fail' | 'skip' }[];
}

/** What a run has emitted, as plain JSON, each in the order in which it came; empty where the subject lacks it. */
export interface Documents {
  /** Message envelopes, one at least for each phase that was entered (UAICP 6). */
  readonly envelopes: readonly unknown[];
  readonly evidence: readonly unknown[];
  readonly reports: readonly unknown[];
  readonly audit: readonly AuditRecord[];
  readonly chunks: readonly StreamedChunk[];
  /** How the run ended; `null` while it goes on. */
  readonly result: Result | null;
}

/** What was shown of a draft (UAICP 4.2). */
export interface StreamedChunk {
  readonly envelope: unknown;
  /** Whether it is marked as unverified, wherever the orchestrator writes that. */
  readonly isUnverified: boolean;
}

/** One line of the audit trail (UAICP 5.4): fields that a record lacks are left out by the adapter, not made up. */
export interface AuditRecord {
  readonly of:
    { readonly kind: 'transition'; readonly to: Phase } | { readonly kind: 'call'; readonly tool: string };
  readonly request_id?: string;
  readonly trace_id?: string;
  readonly timestamp?: string;
  readonly actor?: { readonly kind: 'system' | 'agent' | 'human'; readonly id: string };
  readonly outcome?: Outcome;
}

/** How a run ended. */
export interface Result {
  readonly outcome: Outcome;
  readonly reasonCodes: readonly string[];
  /** What was delivered; `null` where nothing was. */
  readonly payload: Json | null;
}
