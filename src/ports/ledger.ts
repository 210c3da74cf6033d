import type { Fact, TaskClass } from '../../machines/index.ts';
import type {
  EvidenceObject,
  Identity,
  Outcome,
  ReasonCode,
  RollbackAction,
  UpContext,
  UpFeedback,
  UpThought,
  VerificationReport,
} from '../../schema/index.ts';
import type { ApprovalClaims, Grant } from './approvals.ts';
import type { Doubt } from './tool.ts';

/** Who acted: a system, an agent and a person are told apart (UAICP 5.4). */
export interface Actor {
  readonly kind: 'system' | 'agent' | 'human';
  readonly id: string;
}

/** A person as the host authenticated them: a name, and whatever else it knows of them, such as roles. */
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
  /** Where it came from in a distributed trace (W3C Trace Context). */
  readonly traceparent?: string;
  readonly tracestate?: string;
  /** The call that this task is; with a task that was begun by another. */
  readonly parent?: ParentCall;
}

/** A call that is a task of its own: the tasks that it is nested in, the outermost first, and which call it is. */
export interface ParentCall {
  readonly path: readonly string[];
  readonly request: string;
  readonly attempt: number;
  readonly call: string;
}

/** What was done about an effect of which a crash, or a tool that threw, left no outcome. */
export interface RecoveryDocument {
  readonly effect: 'call' | 'rollback';
  /** The idempotency key that the tool was given, and is given again. */
  readonly key: string;
  readonly tool: string;
  /** What its tool says of itself. */
  readonly doubt: Doubt;
  /** What a look-up by the key found. */
  readonly found?: 'done' | 'absent' | 'unknown';
  /** Made once more under the same key, taken as done, or left to a person. */
  readonly resolution: 'repeated' | 'adopted' | 'closed' | 'left';
}

/** Where a task stands under one version of the chart. */
export interface ChartState {
  readonly chart: string;
  /** The name of the state. */
  readonly state: string;
  /** SHA-256 of the text of the snapshot. */
  readonly snapshot: string;
}

/** A task that goes on under another version of the chart: where it stood, and where the new version puts it. */
export interface UpgradeDocument {
  readonly from: ChartState;
  readonly to: ChartState;
}

/** A task that was ended without its chart: the version that it stood under, and what was left as it was. */
export interface EndDocument {
  readonly chart: string;
  /** Where it stood. */
  readonly state: string;
  /** Writes that happened, or perhaps happened, and that nothing undid. */
  readonly writes: readonly {
    /** Of the action. */
    readonly digest: string;
    readonly tool: string;
    /** Whether its outcome was known. */
    readonly isKnown: boolean;
  }[];
}

/** An output of the model that a closed schema has read. Its digest is the digest of this whole document. */
export interface OutputDocument {
  /** What is verified and delivered: of a draft, what the `output` schema of its task class made of it. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The payload as it was proposed; only where the schema changed it. */
  readonly raw?: Readonly<Record<string, unknown>>;
  readonly explanation: string;
  readonly upThought: UpThought;
  readonly upContext?: UpContext;
}

/** A call as it will be made: what the digest covers, and the digest. */
export interface CallDocument {
  readonly id: string;
  readonly tool: string;
  readonly version: string;
  /** What the `input` schema of the tool made of what was proposed. */
  readonly arguments: unknown;
  /** The arguments as they were proposed; only where the schema changed them. The digest does not cover them. */
  readonly raw?: unknown;
  readonly rollback: RollbackAction | null;
  /** What its tool says about an unknown outcome; the digest does not cover it. A call that chart 1 proposed has none. */
  readonly doubt?: Doubt;
  /** Why the rollback that its tool declares could not be described: the call is not cleared. The digest does not cover it. */
  readonly rollbackFault?: string;
  readonly digest: string;
  /** What whoever proposed it calls it; the digest does not cover it. */
  readonly ref?: string;
}

/** An approval as it was accepted: the token, what it was held against, and what it grants (UAICP 5.3). */
export interface ApprovalDocument extends Omit<Grant, 'expiresAt'> {
  readonly token: string;
  readonly claims: ApprovalClaims;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** What was shown of a draft before it was proposed: the stream, how many chunks, and the hash over their contents. */
export interface StreamDocument {
  readonly id: string;
  readonly chunks: number;
  /** The digest of the array of the contents, in order (UAICP 4.2). */
  readonly hash: string;
}

/** What a fact brought that the chart has no use for, and everybody else has. */
export interface RecordPayload {
  /** The contract that the task began under, and the version of the chart; with its opening record. */
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
  /** Who answered, as `mayRespond` was shown them, where the host knows more of them than the name of the actor. */
  readonly person?: Person;
  readonly met?: unknown;
  readonly agent?: string;
  readonly reasons?: readonly string[];
  readonly explanation?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly recovery?: RecoveryDocument;
  readonly upgrade?: UpgradeDocument;
  readonly end?: EndDocument;
}

/** One line of the audit trail (UAICP 5.4), before it is sealed; the fields that UAICP asks for keep its names. */
export interface LedgerEntry {
  readonly seq: number;
  readonly taskId: string;
  /**
   * `orphan` came too late to count, `refusal` was not let in, `erasure` took a document out, `recovery` resolved an
   * effect in doubt. None changed any state. `upgrade` carried the task over to another version of the chart, `end`
   * ended a task whose version of the chart is not known here.
   */
  readonly kind: 'fact' | 'orphan' | 'refusal' | 'erasure' | 'recovery' | 'upgrade' | 'end';
  readonly request_id: string;
  readonly trace_id: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly actor: Actor;
  readonly outcome: Outcome;
  readonly from: string;
  readonly to: string;
  /** `null` for the record that opens a task, and where no fact was stated. */
  readonly fact: Fact | null;
  /** Why a refusal was refused, where that has a code. */
  readonly code: ReasonCode | null;
  /** The digest of the document that an erasure took out. */
  readonly erased: string | null;
  /** Refusals since the record before that were too many to be written down. */
  readonly omitted: number;
  /** Milliseconds by which the machine's clock was behind the hour of this record; 0 by default. */
  readonly behind: number;
  readonly brought: RecordPayload;
}

/** A record in its chain: whoever edits, drops, swaps or repeats one changes a hash that the next one names. */
export interface LedgerRecord extends LedgerEntry {
  /** Digests of what is in `brought`, by its name there; a name that is here and not there was erased. */
  readonly documents: Readonly<Partial<Record<keyof RecordPayload, string>>>;
  /** Digests of the documents that the step emitted, in order. */
  readonly emitted: readonly string[];
  /** SHA-256 of the text of the snapshot that the record led to; `null` where the chart's state did not change. */
  readonly snapshot: string | null;
  /** SHA-256 of what is stored beside it: how the task stands, its deadlines, its open intents; `null` for none. */
  readonly beside: string | null;
  /** The hash of the record before; `null` for the first. */
  readonly previous: string | null;
  /** Over everything here but `brought`, which `documents` stands for. */
  readonly hash: string;
}
