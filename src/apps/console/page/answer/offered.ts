import type { FeedbackType } from '../../../../../schema/index.ts';
import type { InboxEntry } from '../../../../core/kernel/summary.ts';
import { answerName } from '../words.ts';
import { choicesOf, fieldsOf } from './proposal.ts';

/** The answers to a question, in the order in which they are offered. */
export interface Offered {
  /** The answer whose field is open at once; `null` if the question is a decision. */
  readonly open: FeedbackType | null;
  /** The decision: to approve or to reject. */
  readonly first: readonly FeedbackType[];
  /** The others, behind a disclosure. */
  readonly more: readonly FeedbackType[];
}

const order: readonly FeedbackType[] = ['approve', 'reject', 'edit', 'rank', 'instruction', 'comment'];

/** Returns the answer that a question asks for in its own field, if it asks for one. */
const openFor = (entry: InboxEntry): FeedbackType | null => {
  switch (entry.question.kind) {
    case 'information':
      return Object.keys(fieldsOf(entry)).length > 0 ? 'edit' : 'instruction';
    case 'help':
      return 'instruction';
    case 'tool':
      return choicesOf(entry).length > 0 ? 'rank' : 'instruction';
    case 'followup':
      return choicesOf(entry).length > 0 ? 'rank' : null;
    case 'plan':
    case 'draft':
    case 'approval':
    case 'doubt':
    case 'host':
    case 'limit':
      return null;
  }
};

/** Returns the answers to a question: what it asks for first, the decision next, and the rest. */
export const offeredFor = (entry: InboxEntry): Offered => {
  const { accepts } = entry.question;
  const open = accepts.find((type) => type === openFor(entry)) ?? null;
  const others = order.filter((type) => accepts.includes(type) && type !== open);
  const first: readonly FeedbackType[] = accepts.includes('approve')
    ? others.filter((type) => type === 'approve' || type === 'reject')
    : [];
  return { open, first, more: others.filter((type) => !first.includes(type)) };
};

/** Returns whether an answer has fields; one without is sent by its button. */
export const hasFields = ({ question }: InboxEntry, type: FeedbackType): boolean =>
  type !== 'approve' || question.needsToken === true;

/** Returns what the button of an answer says. */
export const nameOfAnswer = (entry: InboxEntry, type: FeedbackType): string => {
  if (type !== offeredFor(entry).open) return answerName(entry.question.kind, type);
  return type === 'rank' ? 'Send this order' : 'Answer';
};
