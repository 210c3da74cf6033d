import { shownPointer } from '../canonical/unreadable.ts';
import { CharterError, isCharterError } from '../errors.ts';

/** The refusal of feedback that does not apply, at its place in the feedback. */
export const inapplicable = (
  path: string,
  reason: string,
  options?: ErrorOptions,
): CharterError<'feedback_inapplicable'> =>
  new CharterError(
    'feedback_inapplicable',
    `the feedback does not apply at ${shownPointer(path)}: ${reason}`,
    { path, reason },
    options,
  );

/** What `read` gives; feedback that it finds too large or unreadable does not apply at `path`. */
export const applicable = <Result>(path: string, read: () => Result): Result => {
  try {
    return read();
  } catch (cause) {
    if (!isCharterError(cause, 'input_unreadable')) throw cause;
    throw inapplicable(path, cause.message, { cause });
  }
};
