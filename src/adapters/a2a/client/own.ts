import type { Message, Task } from '@a2a-js/sdk';
import { CharterError } from '../../../base/errors.ts';

/** The conversation of one call, with the id that we chose. */
export interface Conversation {
  readonly agent: string;
  readonly contextId: string;
}

/** Returns whether an agent replied with a task rather than a message. */
export const isTask = (sent: Task | Message): sent is Task => 'artifacts' in sent;

const refused = (
  { agent }: Conversation,
  field: 'taskId' | 'contextId',
  what: string,
): CharterError<'reply_refused'> =>
  new CharterError(
    'reply_refused',
    `agent ${agent} answered with ${what} of another conversation: expected the ${field} of this call; its answer is not used. Tell the operator of the agent`,
    { agent, field },
  );

/**
 * Checks the ids of a message; missing ones come from its task (A2A 4.1.4). While the task of the call is
 * unknown, a message with a task id must also have our context id.
 */
const checkMessage = (message: Message, of: Conversation, taskId: string | undefined, what: string): void => {
  if (message.contextId !== '' && message.contextId !== of.contextId) throw refused(of, 'contextId', what);
  const isKnown = taskId === undefined ? message.contextId !== '' : message.taskId === taskId;
  if (message.taskId !== '' && !isKnown) throw refused(of, 'taskId', what);
};

/**
 * Returns a task, if it belongs to this conversation. `taskId` is the known task of this call, if any. An
 * agent accepts the context id of a client, or rejects the message (A2A 3.4.1).
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

/** Returns the reply to a message, if it belongs to this conversation. Throws `reply_refused`. */
export const ownReply = (
  sent: Task | Message,
  of: Conversation,
  taskId: string | undefined,
): Task | Message => {
  if (isTask(sent)) return ownTask(sent, of, taskId);
  checkMessage(sent, of, taskId, 'a message');
  return sent;
};
