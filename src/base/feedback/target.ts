import type { UpFeedback } from '../../../schema/index.ts';

/** Returns the id of the message that feedback is about. */
export const messageIdOf = ({ target }: UpFeedback): string =>
  typeof target === 'string' ? target : target.messageId;

/** Returns the targeted part as a JSON Pointer (RFC 6901); empty for the whole message. */
export const partOf = ({ target }: UpFeedback): string =>
  typeof target === 'string' ? '' : (target.part ?? '');
