import type { Store } from '../ports/store.ts';
import { pathOf } from './view.ts';
import { askedIn } from '../ledger/projection/project.ts';

/** Returns the tasks that a question was asked within, from their records alone; `null` if the message asked none. */
export const questionPath = async (store: Store, messageId: string): Promise<readonly string[] | null> => {
  const found = await store.find({ message: messageId });
  const stored = found && (await store.load(found.taskId));
  const request = stored?.records[0]?.brought.request;
  if (found === undefined || request === undefined) return null;
  const isAsked = stored?.emissions.some((one) => askedIn(one)?.message.messageId === messageId);
  return isAsked === true ? pathOf(found.taskId, { request }) : null;
};
