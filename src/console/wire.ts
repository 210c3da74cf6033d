import type { Violation } from '../../machines/index.ts';
import type {
  EvidenceObject,
  Outcome,
  Phase,
  UpFormatMessage,
  VerificationReport,
} from '../../schema/index.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import type { Problem } from '../server/problem.ts';
import type { InboxEntry, TaskSummary } from '../orchestrator/summary.ts';

/** A part of something long: how much there is of it, and where the part begins. */
export interface Paged {
  readonly total: number;
  readonly offset: number;
}

/** Who is looking; without a name nothing can be answered. */
export interface Session {
  readonly identity: string | null;
}

/** A reason of a gate, and what its code means. */
export interface Reason extends Violation {
  readonly meaning: string;
}

/** Which tasks are shown: all, those that wait for a person, those under way, those that are settled. */
export const taskFilters = ['all', 'asking', 'open', 'settled'] as const;
export type TaskFilter = (typeof taskFilters)[number];

export interface TaskPage extends Paged {
  readonly tasks: readonly TaskSummary[];
  readonly counts: Readonly<Record<TaskFilter, number>>;
}

/** A phase on the rail of a task, and how far it came there. */
export interface Stop {
  readonly phase: Phase;
  readonly how: 'ahead' | 'active' | 'paused' | 'passed' | 'failed';
}

/** A question as a list shows it. */
export interface QuestionLine {
  readonly messageId: string;
  readonly taskId: string;
  readonly taskClass: string;
  readonly kind: InboxEntry['question']['kind'];
  readonly explanation: string;
  readonly askedAt: string;
  readonly deadline: string | null;
  readonly severity?: string | number;
  readonly priority?: string | number;
}

export interface TaskView {
  readonly summary: TaskSummary;
  readonly rail: readonly Stop[];
  /** Why it failed, or what stands against `deliver` now; `null` where its chart is of another version. */
  readonly reasons: readonly Reason[] | null;
  readonly questions: readonly QuestionLine[];
  readonly records: number;
}

export interface InboxPage extends Paged {
  readonly questions: readonly QuestionLine[];
}

/** An UAICP envelope as the list of phases shows it. */
export interface PhaseLine {
  readonly phase: Phase;
  readonly outcome: Outcome;
  readonly timestamp: string;
}

/** What a gate rests on: the latest of each, and how many there are. */
export interface Grounds {
  readonly evidence: readonly EvidenceObject[];
  readonly evidenceCount: number;
  readonly reports: readonly VerificationReport[];
  readonly reportCount: number;
  readonly phases: readonly PhaseLine[];
}

export interface QuestionView {
  readonly entry: InboxEntry;
  readonly grounds: Grounds;
  readonly reasons: readonly Reason[] | null;
}

/** A message in its tree: how deep it stands, the number of the one that it answers, and whether it still holds. */
export interface ThreadRow {
  readonly message: UpFormatMessage;
  readonly depth: number;
  readonly answers: number | null;
  readonly isSuperseded: boolean;
}

export interface ThreadPage extends Paged {
  readonly rows: readonly ThreadRow[];
  readonly findings: readonly string[];
}

/** A record without the documents that it brought. */
export type LedgerLine = Omit<LedgerRecord, 'brought' | 'fact'> & { readonly fact: string | null };

export interface LedgerPage extends Paged {
  readonly records: readonly LedgerLine[];
}

/** What `verifyLedger` and `replay` found, in words. */
export interface Verdict {
  readonly intact: boolean;
  readonly replay: 'same' | 'different' | 'not_derived';
  /** The version of the chart that wrote the ledger. */
  readonly chart: string | null;
  readonly records: number;
  readonly replayed: number;
  readonly erased: number;
  readonly findings: readonly { readonly seq: number; readonly code: string; readonly meaning: string }[];
}

/** Tasks that changed since; `all` where they are too many to be named, or the gap is too long to be told. */
export interface Change {
  readonly tasks: readonly string[] | 'all';
}

/** Why a request was refused. */
export type Refusal = Pick<Problem, 'code' | 'detail' | 'errors' | 'reason'>;
