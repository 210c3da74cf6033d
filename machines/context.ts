import type { EvidenceType, OperationalState, Phase, ReasonCode, RiskTier } from '../schema/index.ts';
import type { Confidence, HeldCode, ProposedCall } from './facts/fields.ts';
import { taskClass, type Authority, type TaskClass, type TaskClassInput } from './task-class.ts';

/** One rule that does not hold: its reason code (UAICP 7), and the call, verifier, evidence type or question it is about. */
export interface Violation {
  readonly code: ReasonCode;
  readonly about: string;
}

/** A plan or a draft of the model, by the digest of its whole text; a waiver holds for that digest alone. */
export interface Proposal {
  readonly digest: string;
  /** 0 to 1. */
  readonly confidence: Confidence;
  readonly canProceed: boolean;
  readonly waived: boolean;
}

/** Further calls that the model proposed and no gate has let in yet. */
export interface FurtherCalls extends Proposal {
  readonly calls: readonly ProposedCall[];
}

/**
 * How far a call has come.
 *
 * `proposed` owes a policy decision, `allowed` may start once it is cleared, `asking` and `waiting` are started calls
 * whose tool wants a person or an outside event first, `doubted` has an intent and no known outcome, `dropped` is a
 * read that was given up because a call beside it failed.
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

/** Evidence as gates see it: its payload and its hash are in the ledger (UAICP 5.1). */
export interface EvidenceReference {
  readonly id: string;
  readonly type: EvidenceType;
  /** Older than the task class allows. */
  readonly stale: boolean;
  /** Its payload says nothing: `null`, '', [] or {}. */
  readonly empty?: true;
  /** A person said so, and no tool. */
  readonly byPerson?: true;
  /** The checks of the task class that it passes. */
  readonly meets?: readonly string[];
  /** What it is about, by check. */
  readonly subjects?: Subjects;
}

/** Digests of the values that evidence and actions are compared by, by the name of the check. */
export type Subjects = Readonly<Record<string, string>>;

/** A call of a tool in this attempt. `digest` is the action's: request, tool, version, arguments, rollback. */
export interface Call {
  /** Its place in the plan: an object's own order would put a call named `1` first. */
  readonly at: number;
  readonly tool: string;
  readonly tier: RiskTier;
  readonly digest: string;
  readonly status: CallStatus;
  /** Its tool said that it is not finished: something may have happened, whatever comes of it. */
  readonly underWay: boolean;
  /** Policy, contract and approvals were looked at since the run last waited: a write may begin. */
  readonly cleared: boolean;
  /** The policy wants a person to look. */
  readonly review: boolean;
  /** Why a person has to endorse it: values of a forbidden origin, or a tool outside the mandate. */
  readonly held?: readonly HeldCode[];
  readonly authority: Authority | null;
  /** Who approved this action so far; with enough of them its authority stands. */
  readonly approvers: readonly string[];
  /** Rollback metadata was declared with the call. */
  readonly rollback: boolean;
  readonly evidence: EvidenceReference | null;
  /** What its arguments are about, by check. */
  readonly subjects?: Subjects;
  /** Why it failed or was refused. */
  readonly code: ReasonCode | null;
  /** Why the task failed that this call was (UAICP 4.3). */
  readonly causes: readonly ReasonCode[];
}

/** A write that happened, and what became of it; `closed` is one that a person ruled out, `kept` one that is to stand. */
export interface Effect {
  readonly digest: string;
  readonly tool: string;
  readonly rollback: boolean;
  /** Who stood behind it when it was made. */
  readonly authority: Authority | null;
  readonly status: 'committed' | 'undoing' | 'undone' | 'stuck' | 'closed' | 'kept';
  readonly evidence: EvidenceReference | null;
}

/** A verdict, and what it stands for: a draft's or an action's digest, and the evidence collected when it was asked. */
export interface Report {
  readonly verifier: string;
  readonly of: string;
  readonly evidence: number;
  readonly status: 'pass' | 'fail';
  /** Why the report does not count, beyond a check that failed. */
  readonly code: ReasonCode | null;
}

/** What a person is asked about: facts that are missing, an invalid output, a plan, a draft, a write, an effect in doubt, whatever a tool asks, or the writes of an agent whose host stays away. */
export type QuestionKind = 'information' | 'help' | 'plan' | 'draft' | 'approval' | 'doubt' | 'tool' | 'host';

/** A question that is open, under an id that its answer names. */
export interface Question {
  readonly kind: QuestionKind;
  /** The call, or the digest of the proposal or action, that the question is about. */
  readonly about: string;
}

/** What has been spent so far of the `limits` of the task class. */
export interface Counters {
  readonly corrections: number;
  readonly repairs: number;
  readonly rounds: number;
  readonly revisions: number;
  readonly refreshes: number;
  readonly pauses: number;
  readonly clearances: number;
  readonly modelCalls: number;
  readonly calls: number;
}

/** The finite summary that gates read: identifiers, digests, verdicts, counters. Documents live in the ledger. */
export interface Context {
  readonly taskClass: TaskClass;
  /** UUID of the request in progress; asking for changes begins another. */
  readonly request: string;
  readonly attempt: number;
  readonly plan: Proposal | null;
  readonly further: FurtherCalls | null;
  readonly draft: Proposal | null;
  readonly calls: Readonly<Record<string, Call>>;
  /** In the order of commitment. */
  readonly effects: readonly Effect[];
  /** Evidence objects collected in this attempt: a report stands only while this count does. */
  readonly collected: number;
  readonly reports: Readonly<Record<string, Report>>;
  readonly questions: Readonly<Record<string, Question>>;
  /** The calls that wait, by the dependency that they wait for. */
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
  readonly counters: Counters;
  /** How often each effect in doubt was looked up or made again, by the key of the effect. */
  readonly recoveries: Readonly<Record<string, number>>;
  readonly followup: 'offered' | 'chosen' | 'defaulted' | 'withdrawn' | null;
  /** Why the attempt before was given up (UAICP 4.1: the retry is logged, with its cause). */
  readonly unmet: readonly Violation[];
  /** Why the run fails: the first reason is the one that decided. */
  readonly reasons: readonly Violation[];
  readonly outcome: 'delivered' | 'failed' | 'cancelled' | null;
  /** Phases and operational states entered since the last fact, in order: `deliver` is never a resting place. */
  readonly trail: readonly (Phase | OperationalState)[];
}

/** What a run begins with. */
export interface RunInput {
  readonly taskClass: TaskClassInput;
  /** UUID of the request. */
  readonly request: string;
}

/** The context of a run that has not begun. */
export const begin = ({ taskClass: given, request }: RunInput): Context => ({
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
  counters: {
    corrections: 0,
    repairs: 0,
    rounds: 0,
    revisions: 0,
    refreshes: 0,
    pauses: 0,
    clearances: 0,
    modelCalls: 0,
    calls: 0,
  },
  recoveries: {},
  followup: null,
  unmet: [],
  reasons: [],
  outcome: null,
  trail: [],
});
