import { shownPointer } from '../canonical/unreadable.ts';
import { CharterError, isCharterError } from '../errors.ts';

/** Returns the error for feedback that does not apply, with the location in the feedback. */
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

/** Returns the result of `read`; converts `input_unreadable` to `feedback_inapplicable` at `path`. */
export const applicable = <Result>(path: string, read: () => Result): Result => {
  try {
    return read();
  } catch (cause) {
    if (!isCharterError(cause, 'input_unreadable')) throw cause;
    throw inapplicable(path, cause.message, { cause });
  }
};
