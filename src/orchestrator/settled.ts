import type { UpFormatMessage } from '../../schema/index.ts';
import { CharterError } from '../errors.ts';
import { followupKey } from './documents.ts';
import type { OpenQuestion } from './open-question.ts';
import { isAsked } from './questions.ts';
import { summaryOf } from './task-summary.ts';
import type { Settled } from './summary.ts';
import type { Task } from './task.ts';

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
    ...summaryOf(task.taskId, task.snapshot, task.documents),
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
