import type { UpFeedback } from '../../schema/index.ts';

/** The message that feedback is about. */
export const messageIdOf = ({ target }: UpFeedback): string =>
  typeof target === 'string' ? target : target.messageId;

/** The part of it, as a JSON Pointer (RFC 6901); empty for the whole. */
export const partOf = ({ target }: UpFeedback): string =>
  typeof target === 'string' ? '' : (target.part ?? '');
