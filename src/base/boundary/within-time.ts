import { Script } from 'node:vm';
import { isObject } from './is-object.ts';

const script = new Script('work()');

/**
 * Runs synchronous work with a timeout in milliseconds, rounded up. V8 ends the work, even a regular expression that
 * backtracks.
 *
 * Throws the work's error; at the timeout, the error from `refuse`.
 */
export function withinTime<Result>(
  milliseconds: number,
  work: () => Result,
  refuse: (cause: unknown) => Error,
): Result {
  try {
    return script.runInNewContext(
      { work },
      { timeout: Math.ceil(milliseconds), displayErrors: false },
    ) as Result; // the script returns the result of `work`
  } catch (cause) {
    if (isObject(cause) && cause['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw refuse(cause);
    throw cause;
  }
}
