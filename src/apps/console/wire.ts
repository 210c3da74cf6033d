import type { Violation } from '../../../machines/index.ts';
import type {
  EvidenceObject,
  Outcome,
  Phase,
  ReasonCode,
  UpFormatMessage,
  VerificationReport,
} from '../../../schema/index.ts';
import type { CallLine } from '../../core/ledger/call-lines.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import type { Problem } from '../../optional/server/problem.ts';
import type { InboxEntry, TaskSummary } from '../../core/kernel/summary.ts';
import type { StuckTask } from '../../core/shell/operator-surface.ts';

/** A page of one task's or thread's list: the total, and the offset of the page. */
export interface Paged {
  readonly total: number;
  readonly offset: number;
}

/** A page of a list of any length: the total, and the cursor of the next page. */
export interface CursorPage {
  /** `null` if it is not known, because it would take a search of all tasks. */
  readonly total: number | null;
  /** The `after` of the next page; `null` if there is none. */
  readonly next: string | null;
}

/** The current person. Without a name, nothing can be answered. */
export interface Session {
  readonly identity: string | null;
  /** Whether this person may go on with stuck tasks, and cancel them. */
  readonly operates: boolean;
}

/** A reason of a gate in words, with its code. */
export interface Reason extends Violation {
  readonly meaning: string;
  /** The call that it is about, in a sentence. */
  readonly subject?: string;
}

/** Filters of the task list: all, with open questions, the other unsettled ones, settled. */
export const taskFilters = ['all', 'asking', 'open', 'settled'] as const;
export type TaskFilter = (typeof taskFilters)[number];

/** When a task began, and what was requested, on one line. */
export interface Beginning {
  /** `null` if its ledger has no record. */
  readonly began: string | null;
  readonly about: string;
}

/** A task in a list. */
export interface TaskLine extends TaskSummary, Beginning {
  /** The meanings of its reasons, once each. */
  readonly why: readonly string[];
}

/** What an operator does with a stuck task. */
export const stuckActions = ['retry', 'skip', 'cancel'] as const;
export type StuckAction = (typeof stuckActions)[number];

/** A task that nothing goes on with. */
export interface StuckLine extends StuckTask, Beginning {}

export interface TaskPage extends CursorPage {
  readonly tasks: readonly TaskLine[];
  readonly counts: Readonly<Record<TaskFilter, number>>;
}

/** A phase on the rail of a task, and its progress. */
export interface Stop {
  readonly phase: Phase;
  readonly how: 'ahead' | 'active' | 'paused' | 'passed' | 'failed';
}

/** A question in a list. */
export interface QuestionLine {
  readonly messageId: string;
  readonly taskId: string;
  readonly taskClass: string;
  readonly kind: InboxEntry['question']['kind'];
  readonly headline: string;
  /** Why a person is asked. */
  readonly why?: string;
  readonly askedAt: string;
  readonly deadline: string | null;
  readonly severity?: string | number;
  readonly priority?: string | number;
}

export interface TaskView extends Beginning {
  readonly summary: TaskSummary;
  readonly rail: readonly Stop[];
  /** Why it failed, or what is still missing before its delivery; `null` if its chart has another version. */
  readonly reasons: readonly Reason[] | null;
  readonly questions: readonly QuestionLine[];
  readonly records: number;
}

export interface InboxPage extends CursorPage {
  readonly total: number;
  readonly questions: readonly QuestionLine[];
}

/** A UAICP envelope in the list of phases. */
export interface PhaseLine {
  readonly phase: Phase;
  readonly outcome: Outcome;
  readonly timestamp: string;
  readonly codes: readonly ReasonCode[];
}

/** What a gate is based on: the latest of each kind, and their totals. */
export interface Grounds {
  readonly evidence: readonly EvidenceObject[];
  readonly evidenceCount: number;
  readonly reports: readonly VerificationReport[];
  readonly reportCount: number;
  readonly phases: readonly PhaseLine[];
}

export interface QuestionView {
  readonly entry: InboxEntry;
  /** The output that could not be read, and what its schema reported; `null` if the question is of another kind. */
  readonly rejected: NonNullable<LedgerRecord['brought']['rejected']> | null;
  readonly grounds: Grounds;
  /** What else is missing before delivery. */
  readonly reasons: readonly Reason[] | null;
}

/** A message in its tree: its depth, the number of its parent, and whether it is still valid. */
export interface ThreadRow {
  readonly message: UpFormatMessage;
  readonly depth: number;
  readonly answers: number | null;
  readonly isSuperseded: boolean;
  /** The calls of its task after it, and before the next message. */
  readonly calls: readonly CallLine[];
}

export interface ThreadPage extends Paged {
  readonly rows: readonly ThreadRow[];
  readonly findings: readonly string[];
}

/** A record without its documents. */
export type LedgerLine = Omit<LedgerRecord, 'brought' | 'fact'> & { readonly fact: string | null };

export interface LedgerPage extends Paged {
  readonly records: readonly LedgerLine[];
}

/** The findings of `verifyLedger` and `replay`, as text. */
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

/** The changed tasks; `all` if there are too many, or the client was away for too long. */
export interface Change {
  readonly tasks: readonly string[] | 'all';
}

/** Why a request was refused. */
export type Refusal = Pick<Problem, 'code' | 'detail' | 'errors' | 'reason'>;
