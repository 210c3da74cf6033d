import { isObject } from '../boundary/is-object.ts';
import { isPlainContainer } from '../canonical/walk.ts';
import type { FeedbackContent, FeedbackTarget, FeedbackType } from '../../../schema/index.ts';

/** An answer to a question: a response to its message (UpFormat 2.2, Table 2). */
export interface Feedback {
  readonly type: FeedbackType;
  /** The message that asks, by its `messageId`. */
  readonly target: FeedbackTarget;
  /** `rank` requires an array; `edit` and `instruction` require content. */
  readonly content?: FeedbackContent | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Passes feedback from outside on to `respond`, which reads it and refuses what is not feedback. */
export const unreadFeedback = (feedback: unknown): Feedback => feedback as Feedback;

/** Returns feedback without members that are `undefined`, as a form leaves what was not filled in. */
export const filledIn = (value: unknown): unknown => {
  if (!isObject(value) || !isPlainContainer(value)) return value;
  const members = Object.entries(Object.getOwnPropertyDescriptors(value));
  const filled = members.filter(([, member]) => member.get !== undefined || member.value !== undefined);
  return Object.defineProperties({}, Object.fromEntries(filled));
};
