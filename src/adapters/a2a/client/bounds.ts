import type { AgentCard, Message, Task } from '@a2a-js/sdk';
import type { Allowance } from '../../../base/boundary/budget.ts';

const partsOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, { parts }) => sum + 1 + parts.length, 0);

const piecesOf = ({ artifacts, history, status }: Task): number =>
  1 +
  artifacts.reduce((sum, { parts }) => sum + 1 + parts.length, 0) +
  partsOf(history) +
  partsOf(status?.message === undefined ? [] : [status.message]);

/**
 * Returns what an agent sent, if within its budget. Also applies to your own client. Throws
 * `budget_exceeded`.
 */
export const boundedTasks = (tasks: Task[], { check }: Allowance): Task[] => {
  check(
    'parts',
    tasks.reduce((sum, task) => sum + piecesOf(task), 0),
  );
  return tasks;
};

/** As `boundedTasks`, for the reply to a message. */
export const boundedReply = <Sent extends Task | Message>(sent: Sent, { check }: Allowance): Sent => {
  check('parts', 'artifacts' in sent ? piecesOf(sent) : partsOf([sent]));
  return sent;
};

/** As `boundedTasks`, for an agent card. Also throws `input_unreadable`. */
export const boundedCard = (card: AgentCard, { check, read }: Allowance): AgentCard => {
  check('tools', card.skills.length);
  read('agent card', card, 'listingBytes');
  return card;
};
