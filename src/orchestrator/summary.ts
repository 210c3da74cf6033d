import type { Violation } from '../../machines/index.ts';
import type { Outcome, UpFormatMessage } from '../../schema/index.ts';
import type { OpenQuestion } from './open-question.ts';

/** How a task stands. */
export interface TaskSummary {
  readonly taskId: string;
  readonly threadId: string;
  readonly taskClass: string;
  readonly state: string;
  readonly outcome: Outcome;
  readonly reasons: readonly Violation[];
  readonly isSettled: boolean;
}

/** How a task ended: its last message says what was delivered, or why it was not. */
export interface Settled extends TaskSummary {
  /** The message that delivered, or that says why nothing was delivered. */
  readonly message: UpFormatMessage;
  /** What became of the optional refinement; `null` where none was offered. */
  readonly followup: { readonly how: string; readonly value: unknown } | null;
}

/** A question that waits for a person. */
export interface InboxEntry {
  readonly taskId: string;
  /** The tasks that this one is nested in, the outermost first, and itself (UAICP 4.3). */
  readonly path: readonly string[];
  readonly question: OpenQuestion;
  readonly message: UpFormatMessage;
  /** What comments on it said last of how grave and how urgent it is (UpFormat Table 2); sorted by `byPriority`. */
  readonly severity?: string | number;
  readonly priority?: string | number;
}
