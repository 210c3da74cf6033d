import type { Violation } from '../../machines/index.ts';
import type { Outcome, UpFormatMessage } from '../../schema/index.ts';
import { CharterError } from '../errors.ts';
import { followupKey } from './documents.ts';
import { isAsked, type OpenQuestion } from './questions.ts';
import { summaryOf } from './stand.ts';
import type { Task } from './task.ts';

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

const isFollowup = (message: UpFormatMessage): boolean => followupKey in message;

export const settledOf = (task: Task): Settled => {
  const ends = task.thread.messages.filter(({ state }) =>
    ['completed', 'failed', 'cancelled'].includes(state),
  );
  const message = ends.findLast((end) => !isFollowup(end)) ?? ends.at(-1);
  if (message === undefined)
    throw new CharterError('not_found', `the last message of task ${task.taskId} was erased`, {
      kind: 'message',
      id: task.taskId,
      known: [],
    });
  const refinement = ends.findLast(isFollowup);
  return {
    ...summaryOf(task.taskId, task.snapshot, task.dossier),
    message,
    followup:
      refinement === undefined
        ? null
        : { how: String(refinement[followupKey]), value: refinement.payload['value'] },
  };
};

/** Whether the question that a message asked still waits for its answer there: asked again elsewhere, it does not. */
export const isOpen = ({ snapshot, thread }: Task, messageId: string, question: OpenQuestion): boolean =>
  isAsked(snapshot, question) && thread.messageAsking(question.id) === messageId;
