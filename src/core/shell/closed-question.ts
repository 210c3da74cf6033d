import { hasWriteInFlight, partialWrites } from '../../../machines/owed.ts';
import type { ReasonCode } from '../../../schema/index.ts';
import { CharterError } from '../../errors.ts';
import { messageIdOf } from '../../feedback/target.ts';
import type { OpenQuestion } from '../../ports/open-question.ts';
import { orchestratorActor } from '../kernel/statement.ts';
import type { TaskView } from '../kernel/view.ts';
import type { Task } from './task.ts';

/** Returns the name of a question for an error: its kind, and the tool that it is about. */
export const questionName = (
  { view: { projection } }: Task,
  { kind, about }: Pick<OpenQuestion, 'kind' | 'about'>,
): string => {
  const call = Object.values(projection.calls).find(({ id, digest }) => id === about || digest === about);
  return `the ${kind} question${call === undefined ? '' : ` about tool ${JSON.stringify(call.tool)}`}`;
};

/** Returns how the question of a message was closed: by whom, when and how, if that is on record. */
export const howClosed = ({ view: { projection } }: Task, messageId: string): string => {
  const answer = projection.messages.findLast(
    ({ upFeedback }) =>
      upFeedback !== undefined && upFeedback.type !== 'comment' && messageIdOf(upFeedback) === messageId,
  );
  if (answer === undefined) return 'its deadline has passed, or the run went on without an answer';
  const { agentId, timestamp, upFeedback } = answer;
  return agentId === orchestratorActor.id
    ? `its deadline passed at ${timestamp}, and the default was taken`
    : `${agentId} answered it at ${timestamp}: ${upFeedback?.type}`;
};

/** Returns what keeps an open question from an answer that it accepts: a write that another plan or an edit would forget. */
export const inTheWay = ({ context }: TaskView): string =>
  hasWriteInFlight(context) || partialWrites(context).length > 0
    ? 'a write has begun, and this answer would forget it: answer again when it is over, and first what its tool asks, if it asks'
    : 'the run has moved on since: read the question again';

/** Returns the error for feedback on a question that is closed; `code` says why its approval would not count either. */
export const refuseClosed = (
  task: Task,
  question: OpenQuestion,
  messageId: string,
  code: ReasonCode | null = null,
): CharterError => {
  const reason = howClosed(task, messageId);
  return new CharterError(
    'feedback_refused',
    `${questionName(task, question)} is closed: ${reason}; \`inbox\` lists the open ones`,
    { taskId: task.taskId, question: question.id, reason, code, accepts: [] },
  );
};
