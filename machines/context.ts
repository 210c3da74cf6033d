import type { EvidenceType, OperationalState, Phase, ReasonCode, RiskTier } from '../schema/index.ts';
import type { Confidence, HeldCode, ProposedCall } from './facts/fields.ts';
import {
  asksAtLimits,
  taskClass,
  noneUsed,
  type AskedLimit,
  type Authority,
  type Counters,
  type TaskClass,
  type TaskClassInput,
} from './task-class.ts';

/**
 * A rule that is not met: its reason code (UAICP 7) and its subject, such as a call, verifier, evidence type or
 * question.
 */
export interface Violation {
  readonly code: ReasonCode;
  readonly about: string;
}

/** A plan or a draft of the model, identified by its digest. A waiver applies to that digest only. */
export interface Proposal {
  readonly digest: string;
  /** A number from 0 to 1, or `unstated`. */
  readonly confidence: Confidence;
  readonly canProceed: boolean;
  readonly waived: boolean;
}

/** Calls that the model proposes after its plan. They join the run when the `execute` gate opens. */
export interface FurtherCalls extends Proposal {
  readonly calls: readonly ProposedCall[];
}

/**
 * The status of a call.
 *
 * `proposed`: needs a policy decision. `allowed`: may start, a write once it is cleared. `asking` and `waiting`:
 * started, but the tool needs a person or an outside event first. `doubted`: has an intent and no known outcome.
 * `dropped`: a read that was given up because another call failed.
 */
export type CallStatus =
  | 'proposed'
  | 'allowed'
  | 'refused'
  | 'started'
  | 'asking'
  | 'waiting'
  | 'succeeded'
  | 'failed'
  | 'dropped'
  | 'doubted';

/** The part of evidence that gates read. Its payload and its hash are in the ledger (UAICP 5.1). */
export interface EvidenceReference {
  readonly id: string;
  readonly type: EvidenceType;
  /** Whether it is older than the task class allows. */
  readonly stale: boolean;
  /** Present if the payload is empty: `null`, '', [] or {}. */
  readonly empty?: true;
  /** Present if it is a person's statement and not a tool's. */
  readonly byPerson?: true;
  /** The checks of the task class that the payload passes. */
  readonly meets?: readonly string[];
  /** The values that it is about, by check. */
  readonly subjects?: Subjects;
}

/** Digests of the values that a check compares between evidence and an action, by the name of the check. */
export type Subjects = Readonly<Record<string, string>>;

/** A call of a tool in this attempt. `digest` identifies the action: request, tool, version, arguments and rollback. */
export interface Call {
  /** The position in the plan. The order of object keys is no substitute: it puts a call named `1` first. */
  readonly at: number;
  readonly tool: string;
  readonly tier: RiskTier;
  readonly digest: string;
  readonly status: CallStatus;
  /** Whether the call has waited for a dependency: a write may already have had an effect. */
  readonly underWay: boolean;
  /** Whether policy, contract and approvals were checked since the run last waited, so that a write may start. */
  readonly cleared: boolean;
  /** Whether the policy decided `needs_review`. */
  readonly review: boolean;
  /** Why the call is held: its tool does not accept the origin of a value, or was not fixed for the run. */
  readonly held?: readonly HeldCode[];
  /** Whether the write waits until every write that is left may be made. */
  readonly together?: true;
  /** The calls that the write comes after: beside a question it waits until they are over. */
  readonly after?: readonly string[];
  readonly authority: Authority | null;
  /** The approvers of this action so far. `authority` is set when there are enough. */
  readonly approvers: readonly string[];
  /** Whether the call declares its rollback. */
  readonly rollback: boolean;
  readonly evidence: EvidenceReference | null;
  /** The values that its arguments are about, by check. */
  readonly subjects?: Subjects;
  /** Why the call failed, was refused or is in doubt. */
  readonly code: ReasonCode | null;
  /** Whether the run goes on after its failure; set when it fails, in a task class that limits failures. */
  readonly observed?: boolean;
  /** Why the child task failed, if the call ran one (UAICP 4.3). */
  readonly causes: readonly ReasonCode[];
}

/**
 * A write and its status.
 *
 * `stuck`: its rollback failed or did not end in time. `closed`: a person ruled it out. `kept`: the run failed and the
 * write stays.
 */
export interface Effect {
  readonly digest: string;
  readonly tool: string;
  readonly rollback: boolean;
  /** The authority that approved the write; `null` if none did. */
  readonly authority: Authority | null;
  readonly status: 'committed' | 'undoing' | 'undone' | 'stuck' | 'closed' | 'kept';
  readonly evidence: EvidenceReference | null;
}

/** The result of a verifier for one draft or action. */
export interface Report {
  readonly verifier: string;
  /** The digest of the draft or action. */
  readonly of: string;
  /** The number of evidence objects collected when the verifier was called. */
  readonly evidence: number;
  readonly status: 'pass' | 'fail';
  /** Why the report does not count, if the reason is not a failed check. */
  readonly code: ReasonCode | null;
}

/**
 * The kind of a question.
 *
 * `information`: something is missing. `help`: the output of the model is invalid, or the model asks for help. `plan`
 * and `draft`: the output is uncertain. `approval`: an action needs approval. `doubt`: a write has no known outcome.
 * `tool`: a tool asks. `host`: the host of an agent that has made writes does not return. `limit`: a limit is reached.
 */
export type QuestionKind =
  'information' | 'help' | 'plan' | 'draft' | 'approval' | 'doubt' | 'tool' | 'host' | 'limit';

/** An open question. Its answer names the id under which the context stores it. */
export interface Question {
  readonly kind: QuestionKind;
  /** The id of the call, the digest of the proposal or action, or a fixed name such as `request`. */
  readonly about: string;
}

/**
 * The finite summary of a run that gates read: identifiers, digests, verdicts and counters. The ledger has the
 * documents.
 */
export interface Context {
  readonly taskClass: TaskClass;
  /** The UUID of the current request. Asking for changes begins another request. */
  readonly request: string;
  readonly attempt: number;
  readonly plan: Proposal | null;
  readonly further: FurtherCalls | null;
  readonly draft: Proposal | null;
  readonly calls: Readonly<Record<string, Call>>;
  /** In the order in which they were recorded. */
  readonly effects: readonly Effect[];
  /**
   * The number of evidence objects collected in this attempt. A passed report counts only while this number stays the
   * same.
   */
  readonly collected: number;
  readonly reports: Readonly<Record<string, Report>>;
  readonly questions: Readonly<Record<string, Question>>;
  /** The ids of the waiting calls, by dependency. */
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
  readonly counters: Counters;
  /** How often a person let the run go beyond each limit; in a task class that asks at its limits. */
  readonly extensions?: Readonly<Partial<Record<AskedLimit, number>>>;
  /** The pauses that ended with a person's answer, which cost nothing; in a task class that asks at its limits. */
  readonly answered?: number;
  /** The failures of each tool in this request; in a task class that limits them. */
  readonly failures?: Readonly<Record<string, number>>;
  /** Whether an agent in its own host proposed calls while people were asked to approve others; set once it did. */
  readonly goesOn?: boolean;
  /** The number of recoveries of each effect in doubt, by its key. */
  readonly recoveries: Readonly<Record<string, number>>;
  readonly followup: 'offered' | 'chosen' | 'defaulted' | 'withdrawn' | null;
  /** Why the previous attempt was repaired (UAICP 4.1: the retry is logged, with its cause). */
  readonly unmet: readonly Violation[];
  /** Why the run fails. The first reason is the deciding one. */
  readonly reasons: readonly Violation[];
  readonly outcome: 'delivered' | 'failed' | 'cancelled' | null;
  /** The phases and operational states entered since the last fact, in order. One step can pass through several. */
  readonly trail: readonly (Phase | OperationalState)[];
}

/** The input of a run. */
export interface RunInput {
  readonly taskClass: TaskClassInput;
  /** The UUID of the request. */
  readonly request: string;
}

/** Returns the initial context of a run. */
export const begin = ({ taskClass: given, request }: RunInput): Context => ({
  ...(asksAtLimits(given) && { extensions: {}, answered: 0 }),
  ...(given.limits?.failures !== undefined && { failures: {} }),
  taskClass: taskClass(given),
  request,
  attempt: 0,
  plan: null,
  further: null,
  draft: null,
  calls: {},
  effects: [],
  collected: 0,
  reports: {},
  questions: {},
  dependencies: {},
  counters: { ...noneUsed },
  recoveries: {},
  followup: null,
  unmet: [],
  reasons: [],
  outcome: null,
  trail: [],
});
