import type { Fact, TaskClass } from '../../../machines/index.ts';
import type {
  EvidenceObject,
  Identity,
  Outcome,
  ReasonCode,
  RollbackAction,
  UpContext,
  UpFeedback,
  UpFormatMessage,
  UpThought,
  VerificationReport,
} from '../../../schema/index.ts';
import type { ApprovalClaims, Grant } from './approvals.ts';
import type { Label, Labels, OriginsDocument } from './origin.ts';
import type { TraceContext } from './telemetry.ts';
import type { Doubt } from './tool.ts';

/** The actor of a record: a system, an agent or a person (UAICP 5.4). */
export interface Actor {
  readonly kind: 'system' | 'agent' | 'human';
  readonly id: string;
}

/** A person as the host authenticated them: a name and further claims, such as roles. */
export interface Person {
  readonly id: string;
  readonly [claim: string]: unknown;
}

/** A request as it was submitted. */
export interface RequestDocument {
  readonly taskClass: string;
  readonly threadId: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly explanation: string;
  readonly identity: Identity;
  readonly parentMessageId?: string;
  readonly parentTraceId?: string;
  /** The caller's place in a distributed trace (W3C Trace Context). */
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** Places in other traces, which the task's own trace links to. */
  readonly linkedTraces?: readonly TraceContext[];
  /** The call that this task performs; present if another task began it. */
  readonly parent?: ParentCall;
  /** The labels of the payload, of people's answers, and of what else the model is shown, if they are not the default. */
  readonly labels?: {
    readonly request?: Labels;
    readonly answers?: Partial<Label>;
    readonly context?: Label;
  };
  /** The tools that were fixed for the run; `plan` for those proposed or declared before anything untrusted was shown. */
  readonly mandate?: 'plan' | readonly string[];
}

/** A call that is a task of its own: its enclosing tasks, outermost first, and the call. */
export interface ParentCall {
  readonly path: readonly string[];
  readonly request: string;
  readonly attempt: number;
  readonly call: string;
}

/** How an effect without a recorded outcome was resolved, after a crash or an error of its tool. */
export interface RecoveryDocument {
  readonly effect: 'call' | 'rollback';
  /** The idempotency key of the effect, reused on a retry. */
  readonly key: string;
  readonly tool: string;
  /** The `doubt` that the tool declares. */
  readonly doubt: Doubt;
  /** The result of a look-up by the key. */
  readonly found?: 'done' | 'absent' | 'unknown';
  /** Retried under the same key, taken as done, closed, or left to a person. */
  readonly resolution: 'repeated' | 'adopted' | 'closed' | 'left';
}

/** The state of a task under one version of the chart. */
export interface ChartState {
  readonly chart: string;
  /** The name of the state. */
  readonly state: string;
  /** SHA-256 of the text of the snapshot. */
  readonly snapshot: string;
}

/** A task that continues under another version of the chart, with its state under both. */
export interface UpgradeDocument {
  readonly from: ChartState;
  readonly to: ChartState;
}

/** A task that was ended without its chart: the chart's version, the state, and the writes that remain. */
export interface EndDocument {
  readonly chart: string;
  /** The state at the end. */
  readonly state: string;
  /** Writes that happened, or may have happened, and were not undone. */
  readonly writes: readonly {
    /** Digest of the action. */
    readonly digest: string;
    readonly tool: string;
    /** Whether the outcome of the write was known. */
    readonly isKnown: boolean;
  }[];
}

/** An output of the model that a closed schema accepted. Its digest covers this whole document. */
export interface OutputDocument {
  /** The value that is verified and delivered. For a draft, it is the result of the task class's `output` schema. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The proposed payload; present only if the schema changed it. */
  readonly raw?: Readonly<Record<string, unknown>>;
  readonly explanation: string;
  readonly upThought: UpThought;
  readonly upContext?: UpContext;
  /** The tools that later calls of the run need, as declared with a plan or further calls. */
  readonly declares?: readonly string[];
  /** The call whose arguments could be mapped in several ways, so that a person chooses. */
  readonly mediation?: { readonly tool: string; readonly from: string };
  /** Present if the calls or the payload are another agent's, whose review the model adopted. */
  readonly adopted?: AdoptedDocument;
}

/** The review of another agent that a model adopted as its output. */
export interface AdoptedDocument {
  /** The message of the review. */
  readonly messageId: string;
  /** The reviewing agent. */
  readonly by: string;
  readonly type: 'edit' | 'rank';
}

/** How the arguments of a call were mapped from another payload, by meaning (UpFormat 3.2). */
export interface MappingDocument {
  /** What the model passed on: the output of a tool, data of its form that it did not return, or a message. */
  readonly from: string;
  readonly links: readonly {
    readonly from: string;
    readonly to: string;
    /** 0 to 1. */
    readonly score: number;
    readonly why: readonly string[];
    readonly conversions: readonly { readonly kind: string }[];
  }[];
  /** Values that no source has, and that a person chose. */
  readonly constants: readonly { readonly to: string; readonly value: unknown }[];
}

/** A call as it will be made, and its digest. */
export interface CallDocument {
  readonly id: string;
  readonly tool: string;
  readonly version: string;
  /** The proposed arguments, after the tool's `input` schema. */
  readonly arguments: unknown;
  /** The arguments as they were proposed; present only if the schema changed them. Not in the digest. */
  readonly raw?: unknown;
  /** Where the tool gets a Date in place of the text in `arguments`, as JSON Pointers. Not in the digest. */
  readonly dates?: readonly string[];
  /** How `arguments` was made of `raw`, which was in another form. Not in the digest. */
  readonly mapping?: MappingDocument;
  /** What the call does, as its tool says it, after `redact`. Not in the digest. */
  readonly summary?: string;
  /** Why its tool could not say that; the policy is then not asked, and the run fails. Not in the digest. */
  readonly summaryFault?: string;
  readonly rollback: RollbackAction | null;
  /** Where the arguments come from; of writes and of tools that ask. Not in the digest. */
  readonly origins?: OriginsDocument;
  /** The labels of the result, as its tool declares them. Not in the digest. */
  readonly labels?: Labels;
  /** The `doubt` that its tool declares. Not in the digest. Absent on a call that chart 1 proposed. */
  readonly doubt?: Doubt;
  /** Why the rollback of its tool could not be described; the call is then not cleared. Not in the digest. */
  readonly rollbackFault?: string;
  /** What tells the call of a tool that `repeats` from an identical one: its `ref`. */
  readonly occurrence?: string;
  readonly performs?: 'caller'; // by its proposer
  readonly digest: string;
  /** The proposer's name for the call. Not in the digest. */
  readonly ref?: string;
}

/** What a question showed the person who answered it: what the call does. */
export interface ShownDocument {
  readonly summary: string;
  /** Why a person was asked. */
  readonly reasons: readonly string[];
}

/** An accepted approval: the token, the expected claims, and the grant (UAICP 5.3). */
export interface ApprovalDocument extends Omit<Grant, 'expiresAt'> {
  readonly token: string;
  readonly claims: ApprovalClaims;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/**
 * The part of a draft that was streamed before it was proposed: the stream, its number of chunks, and a hash of
 * their contents.
 */
export interface StreamDocument {
  readonly id: string;
  readonly chunks: number;
  /** The digest of the array of contents, in order (UAICP 4.2). */
  readonly hash: string;
}

/** The documents that came with a fact. The chart does not read them. */
export interface RecordPayload {
  /** The contract of the task and the version of the chart; in the opening record. */
  readonly contract?: TaskClass;
  readonly chart?: string;
  readonly request?: RequestDocument;
  readonly output?: OutputDocument;
  readonly stream?: StreamDocument;
  readonly rejected?: {
    readonly output: unknown;
    readonly issues: readonly { path: string; message: string }[];
  };
  readonly calls?: readonly CallDocument[];
  readonly evidence?: EvidenceObject;
  readonly report?: VerificationReport;
  readonly approval?: ApprovalDocument;
  readonly feedback?: UpFeedback;
  /** What the question of this answer showed; present if it was about a call. */
  readonly shown?: ShownDocument;
  /** The respondent as `mayRespond` saw them; present if the host knows more than the actor's name. */
  readonly person?: Person;
  readonly met?: unknown;
  /** The message of another participant, as it came after `redact`; in a `message` record. */
  readonly message?: UpFormatMessage;
  /** The agent that can meet a dependency, or that sent a message. */
  readonly agent?: string;
  /** The owner of `agent`; by default that of the run. */
  readonly owner?: string;
  readonly reasons?: readonly string[];
  readonly explanation?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  /** The state of a guarded agent, such as its messages; in an `agent` record. */
  readonly agentState?: unknown;
  readonly recovery?: RecoveryDocument;
  readonly upgrade?: UpgradeDocument;
  readonly end?: EndDocument;
}

/** An entry of the audit trail before it is sealed (UAICP 5.4). The fields that UAICP requires keep its names. */
export interface LedgerEntry {
  readonly seq: number;
  readonly taskId: string;
  /**
   * `fact` is an accepted fact, `orphan` a fact that came too late, `refusal` a refused fact. `erasure` removed a
   * document; `recovery` resolved an effect in doubt. `upgrade` carried the task over to another version of the
   * chart. `end` ended a task whose version of the chart is unknown here. `agent` saved the state of a guarded agent.
   * `message` is the message of another participant. `orphan`, `refusal`, `erasure`, `recovery`, `agent` and
   * `message` change no state.
   */
  readonly kind:
    'fact' | 'orphan' | 'refusal' | 'erasure' | 'recovery' | 'agent' | 'message' | 'upgrade' | 'end';
  readonly request_id: string;
  readonly trace_id: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly actor: Actor;
  readonly outcome: Outcome;
  readonly from: string;
  readonly to: string;
  /** `null` for the opening record, and for a record without a fact. */
  readonly fact: Fact | null;
  /** The reason code of a refusal, if it has one. */
  readonly code: ReasonCode | null;
  /** The digest of the document that was erased. */
  readonly erased: string | null;
  /** The number of refusals since the last record that were not recorded, because of their number. */
  readonly omitted: number;
  /** How far the machine's clock was behind the time of this record, in milliseconds; 0 by default. */
  readonly behind: number;
  readonly brought: RecordPayload;
}

/**
 * A sealed record. Its hash is part of the next record: an edited, removed, swapped or repeated record breaks the
 * chain.
 */
export interface LedgerRecord extends LedgerEntry {
  /** Digests of the documents in `brought`, by key. A key that is only here was erased. */
  readonly documents: Readonly<Partial<Record<keyof RecordPayload, string>>>;
  /** Digests of the documents that the step emitted, in order. */
  readonly emitted: readonly string[];
  /** SHA-256 of the text of the resulting snapshot; `null` if the state did not change. */
  readonly snapshot: string | null;
  /** SHA-256 of the stored summary, deadlines and open intents; `null` for none. */
  readonly beside: string | null;
  /** The hash of the previous record; `null` for the first. */
  readonly previous: string | null;
  /** Covers every field here except `brought`, which `documents` represents. */
  readonly hash: string;
}
