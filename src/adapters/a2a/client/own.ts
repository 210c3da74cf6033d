import type { Message, Task } from '@a2a-js/sdk';
import { CharterError } from '../../../errors.ts';

/** The conversation of one call, by the name that we gave it. */
export interface Conversation {
  readonly agent: string;
  readonly contextId: string;
}

/** Whether an agent answered with a task, and not with a message. */
export const isTask = (sent: Task | Message): sent is Task => 'artifacts' in sent;

const refused = (
  { agent }: Conversation,
  field: 'taskId' | 'contextId',
  what: string,
): CharterError<'reply_refused'> =>
  new CharterError(
    'reply_refused',
    `agent ${agent} answered with ${what} of another conversation: expected the ${field} of this call; its answer is not used`,
    { agent, field },
  );

/**
 * Checks what a message says of where it belongs; what it does not say is taken from what it came with (A2A 4.1.4). Before a
 * task of this call is known, a message that names one must also name our context.
 */
const checkMessage = (message: Message, of: Conversation, taskId: string | undefined, what: string): void => {
  if (message.contextId !== '' && message.contextId !== of.contextId) throw refused(of, 'contextId', what);
  const isKnown = taskId === undefined ? message.contextId !== '' : message.taskId === taskId;
  if (message.taskId !== '' && !isKnown) throw refused(of, 'taskId', what);
};

/**
 * A task as an agent tells it, if it is one of this conversation: `taskId` is the one that is known of this call, left out
 * before there is one. An agent takes the context that a client names, or refuses the message (A2A 3.4.1).
 *
 * Throws `reply_refused`.
 */
export const ownTask = (task: Task, of: Conversation, taskId: string | undefined): Task => {
  const { id, contextId, status } = task;
  if (id === '' || (taskId !== undefined && id !== taskId)) throw refused(of, 'taskId', 'a task');
  if (contextId !== of.contextId) throw refused(of, 'contextId', 'a task');
  if (status?.message !== undefined) checkMessage(status.message, of, id, 'a message');
  return task;
};

/** What an agent answers to a message, if it is of this conversation. Throws `reply_refused`. */
export const ownReply = (
  sent: Task | Message,
  of: Conversation,
  taskId: string | undefined,
): Task | Message => {
  if (isTask(sent)) return ownTask(sent, of, taskId);
  checkMessage(sent, of, taskId, 'a message');
  return sent;
};
