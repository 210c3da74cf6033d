import type { Fact } from '../../machines/index.ts';
import type {
  EvidenceObject,
  Identity,
  Outcome,
  RollbackAction,
  UpContext,
  UpFeedback,
  UpThought,
  VerificationReport,
} from '../../schema/index.ts';

/** Who acted: a system, an agent and a person are told apart (UAICP 5.4). */
export interface Actor {
  readonly kind: 'system' | 'agent' | 'human';
  readonly id: string;
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
}

/** An output of the model that a closed schema has read. */
export interface OutputDocument {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly explanation: string;
  readonly upThought: UpThought;
  readonly upContext?: UpContext;
}

/** A call as it will be made: what the digest covers, and the digest. */
export interface CallDocument {
  readonly id: string;
  readonly tool: string;
  readonly version: string;
  readonly arguments: unknown;
  readonly rollback: RollbackAction | null;
  readonly digest: string;
}

/** What a fact brought that the chart has no use for, and everybody else has. */
export interface Brought {
  readonly request?: RequestDocument;
  readonly output?: OutputDocument;
  readonly rejected?: {
    readonly output: unknown;
    readonly issues: readonly { path: string; message: string }[];
  };
  readonly calls?: readonly CallDocument[];
  readonly evidence?: EvidenceObject;
  readonly report?: VerificationReport;
  readonly feedback?: UpFeedback;
  readonly met?: unknown;
  readonly agent?: string;
  readonly reasons?: readonly string[];
  readonly explanation?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** One line of the audit trail (UAICP 5.4); the fields that UAICP asks for keep its names. */
export interface LedgerRecord {
  readonly seq: number;
  readonly taskId: string;
  /** `orphan` came too late to count; `refusal` was not let in. Neither changed any state. */
  readonly kind: 'fact' | 'orphan' | 'refusal';
  readonly request_id: string;
  readonly trace_id: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly actor: Actor;
  readonly outcome: Outcome;
  readonly from: string;
  readonly to: string;
  /** `null` for the record that opens a task. */
  readonly fact: Fact | null;
  readonly brought: Brought;
}
