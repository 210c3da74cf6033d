import type { Violation } from '../../../machines/index.ts';
import type { Outcome, UpFormatMessage } from '../../../schema/index.ts';
import type { OpenQuestion } from '../../base/ports/open-question.ts';
import type { Payload } from '../../base/ports/schema.ts';

/** The state and outcome of a task. */
export interface TaskSummary {
  readonly taskId: string;
  readonly threadId: string;
  readonly taskClass: string;
  readonly state: string;
  readonly outcome: Outcome;
  readonly reasons: readonly Violation[];
  readonly isSettled: boolean;
}

declare const delivers: unique symbol;

/** The identifier of a task; the compiler remembers what its task class delivers. */
export type TaskId<Output extends Payload = Payload> = string & { readonly [delivers]?: Output };

/** What the end of every task has. */
export interface EndedTask extends TaskSummary {
  /** The result of the optional refinement; `null` if none was offered. */
  readonly followup: { readonly how: string; readonly value: unknown } | null;
}

/** The end of a task that delivered. */
export interface DeliveredTask<Output extends Payload> extends EndedTask {
  readonly outcome: 'success';
  /** The message that delivered; its payload has the type of the task class's `output`. */
  readonly message: UpFormatMessage & { readonly payload: Output };
}

/** The end of a task that delivered nothing. */
export interface UndeliveredTask extends EndedTask {
  readonly outcome: Exclude<Outcome, 'success'>;
  /** The message that explains why. */
  readonly message: UpFormatMessage;
}

/** The end of a task. */
export type Settled<Output extends Payload = Payload> = DeliveredTask<Output> | UndeliveredTask;

/** A question that waits for a person. */
export interface InboxEntry {
  readonly taskId: string;
  /** The tasks that enclose this one, outermost first, and this one (UAICP 4.3). */
  readonly path: readonly string[];
  readonly question: OpenQuestion;
  readonly message: UpFormatMessage;
  /** The severity and priority in the latest comments on it (UpFormat Table 2); sort with `byPriority`. */
  readonly severity?: string | number;
  readonly priority?: string | number;
}

/** The summary of a task that can be read without loading the task. */
export interface StoredSummary {
  readonly summary: TaskSummary;
  readonly open: readonly InboxEntry[];
  /** The version of the chart that wrote it; absent for version 1. */
  readonly chart?: string;
}
