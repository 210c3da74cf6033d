import type { Identity, Outcome, Phase, RiskTier, RollbackAction } from '../../../schema/index.ts';
import type { Clock } from '../../base/ports/clock.ts';
import type { RollbackDescription } from '../../base/ports/tool.ts';

/**
 * An adapter to the orchestrator under test. The kit provides model, tools, verifiers, policy and clock,
 * observes the calls, and reads phase and documents (UAICP 8).
 */
export interface Subject {
  readonly name: string;
  /** The capabilities that the orchestrator lacks. Rules that need them are reported as `not offered`. */
  readonly lacks: readonly Capability[];
  /** Starts a run without waiting for it, because a tool may never answer. Each scenario has its own run. */
  readonly start: (scenario: Scenario) => Run | Promise<Run>;
  /**
   * Returns whether an envelope is admitted (UAICP 9). Optional if it lacks `versions`. It receives an
   * envelope of the subject, and a copy with an unknown version. An error counts as a refusal.
   */
  readonly admits?: (envelope: unknown) => unknown;
  /** Returns the hash of a payload. By default `sha256:` and the hex SHA-256 of its RFC 8785 form. */
  readonly hash?: (payload: unknown) => string;
}

/** The optional capabilities of an orchestrator. At least one rule needs each. */
export const capabilities = [
  /** Emits an envelope for each UAICP phase. */
  'envelopes',
  /** Emits evidence objects for tool results. */
  'evidence',
  /** Accepts evidence objects of other parties: from a tool (`kind: 'evidence'`) and from outside. */
  'foreign evidence',
  /** Emits verification reports. */
  'reports',
  /** Keeps audit records of transitions and calls. */
  'audit',
  /** Reports reason codes of failed runs. */
  'reason codes',
  /** Runs verifiers before delivery. */
  'verifiers',
  /** Runs verifiers before a write. */
  'verifiers before a write',
  /** Evaluates a policy before a write. */
  'policy',
  /** Requires an approval for a high-risk write. */
  'approvals',
  /** Rolls back writes of a failed run. */
  'rollback',
  /** Supports cancellation. */
  'cancel',
  /** Applies timeouts, by the scenario's clock. */
  'deadlines',
  /** Repairs after an unmet invariant, up to a limit. */
  'repair',
  /** Streams parts of a draft before delivery. */
  'streaming',
  /** Checks the `uaicp_version` of envelopes from outside. */
  'versions',
] as const;
/** One of `capabilities`. */
export type Capability = (typeof capabilities)[number];

/** A run. None of its functions may throw when the orchestrator refuses: an error counts as a broken rule. */
export interface Run {
  /** Submits a fact without waiting for its effects. Returns `refused` if it was not accepted. */
  readonly state: (fact: Fact) => Promise<'taken' | 'refused'>;
  /** Resolves when the run has ended or waits for a fact; not while a tool, verifier or model is running. */
  readonly quiet: () => Promise<void>;
  /** Returns the current phase (UAICP 3); `fail_safe` for a run that ended without delivery. */
  readonly phase: () => Phase | Promise<Phase>;
  /** Returns the documents emitted so far. */
  readonly documents: () => Documents | Promise<Documents>;
  /** Releases the resources of the run. */
  readonly close?: () => void | Promise<void>;
}

/** An external event of a run. */
export type Fact =
  /** A person presents an approval, which may be invalid. */
  | { readonly type: 'approval.presented'; readonly approval: Approval }
  /** A person rejects a write that waits for approval. */
  | { readonly type: 'approval.refused'; readonly by: string; readonly action: ProposedCall }
  | { readonly type: 'run.cancelled'; readonly by: string }
  /** An evidence object arrives that no call of this run produced. */
  | { readonly type: 'evidence.arrived'; readonly evidence: unknown }
  /** The clock was advanced, and its alarms have fired. */
  | { readonly type: 'time.passed'; readonly milliseconds: number };

/**
 * A person's decision, for conversion to the orchestrator's form: a signed token, a resumed interrupt, a
 * database row. The adapter must convert it unchanged, also if it is invalid.
 */
export interface Approval {
  /** Its id. Two approvals with one id are the same approval. */
  readonly id: string;
  readonly approver: string;
  readonly decision: 'approve' | 'reject';
  /** The action that it approves. */
  readonly action: ProposedCall;
  /** The request that it applies to; `null` for the run to which it is presented. */
  readonly request_id: string | null;
  /** Milliseconds since 1970. */
  readonly issuedAt: number;
  readonly expiresAt: number;
  /** Whether its signature is missing or untrusted. A scheme without signatures uses an unknown approver. */
  readonly isForged: boolean;
}

/** The configuration of the orchestrator for one run. */
export interface Scenario {
  readonly id: string;
  readonly request: {
    readonly payload: Json;
    readonly explanation: string;
    readonly identity: Identity;
    /** The trace id of the parent orchestrator; `null` if the run is not nested (UAICP 4.3). */
    readonly parent_trace_id: string | null;
  };
  /** The clock. Only the kit advances it. */
  readonly clock: Clock;
  /** The model: returns the calls of an attempt, from 0 (UAICP 3, data flow). Untrusted. */
  readonly plan: (attempt: number) => Promise<readonly ProposedCall[]>;
  /** The model: returns the draft of an attempt. Untrusted. */
  readonly draft: (attempt: number) => Promise<Draft>;
  readonly tools: readonly ScenarioTool[];
  readonly verifiers: readonly ScenarioVerifier[];
  /** Decides whether a write is allowed. May throw. */
  readonly policy: (action: ProposedCall) => Promise<'allow' | 'deny'>;
  /** The requirements before every write, and before `deliver` (UAICP 5.1, 5.2). */
  readonly requires: { readonly beforeWrite: Required; readonly beforeDeliver: Required };
  /** The maximum number of repairs (UAICP 4.1). A repair starts with a new plan. */
  readonly repairs: number;
  /** The maximum age of evidence, in milliseconds. */
  readonly maxAge: number;
  /** Timeouts in milliseconds. */
  readonly deadlines: { readonly call: number; readonly verifier: number };
}

/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** A proposed call of a model. */
export interface ProposedCall {
  readonly tool: string;
  readonly arguments: Json;
}

/** A draft of a model. If it has `chunks`, stream them first; joined, they are the JSON of the payload. */
export interface Draft {
  readonly payload: Json;
  readonly chunks: readonly string[];
}

/** Required evidence by tool, and verifiers by id. */
export interface Required {
  /** The names of tools that need a `tool_result`. */
  readonly evidence: readonly string[];
  readonly verifiers: readonly string[];
}

/** The run of a tool call. */
export interface CallOf {
  readonly request_id: string;
  readonly trace_id: string;
}

/** A tool that records every call (UAICP 2). Its `call` may reject, or never resolve. */
export interface ScenarioTool {
  readonly name: string;
  readonly tier: RiskTier;
  /** `of` has the run's ids, as in its documents. */
  readonly call: (input: Json, of: CallOf) => Promise<ToolAnswer>;
  /** How a write is reversed (UAICP 5.3); `null` if that is unknown. */
  readonly rollback: {
    readonly describe: (input: Json) => RollbackDescription;
    readonly run: (action: RollbackAction) => Promise<void>;
  } | null;
}

/** A tool's answer: a result, to be wrapped in evidence, or an evidence object of another party. */
export type ToolAnswer =
  | { readonly kind: 'result'; readonly payload: Json }
  | { readonly kind: 'evidence'; readonly evidence: Json };

/** A verifier (UAICP 2). It may reject, never resolve, or contradict itself in status and checks. */
export interface ScenarioVerifier {
  readonly id: string;
  readonly verify: (subject: {
    /** The draft's payload, or the pending write. */
    readonly value: unknown;
    /** The valid evidence documents. */
    readonly evidence: readonly unknown[];
  }) => Promise<Findings>;
}

/** The findings of a verifier, to be wrapped in a verification report. */
export interface Findings {
  readonly status: 'pass' | 'fail' | 'partial';
  readonly checks: readonly { readonly check_id: string; readonly result: 'pass' | 'fail' | 'skip' }[];
}

/** The documents of a run as plain JSON, in order of emission. A list is empty if the subject lacks it. */
export interface Documents {
  /** Message envelopes, at least one for each phase (UAICP 6). */
  readonly envelopes: readonly unknown[];
  readonly evidence: readonly unknown[];
  readonly reports: readonly unknown[];
  readonly audit: readonly AuditRecord[];
  readonly chunks: readonly StreamedChunk[];
  /** The result; `null` while the run is open. */
  readonly result: Result | null;
}

/** A streamed part of a draft (UAICP 4.2). */
export interface StreamedChunk {
  readonly envelope: unknown;
  /** Whether it is marked as unverified, in any form. */
  readonly isUnverified: boolean;
}

/** An audit record (UAICP 5.4). The adapter must omit missing fields. */
export interface AuditRecord {
  readonly of:
    { readonly kind: 'transition'; readonly to: Phase } | { readonly kind: 'call'; readonly tool: string };
  readonly request_id?: string;
  readonly trace_id?: string;
  readonly timestamp?: string;
  readonly actor?: { readonly kind: 'system' | 'agent' | 'human'; readonly id: string };
  readonly outcome?: Outcome;
}

/** The result of a run. */
export interface Result {
  readonly outcome: Outcome;
  readonly reasonCodes: readonly string[];
  /** The delivered payload; `null` if nothing was delivered. */
  readonly payload: Json | null;
}
