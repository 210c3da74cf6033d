import { Script } from 'node:vm';
import { isObject } from './is-object.ts';

const script = new Script('work()');

/**
 * What work that is done at once gives: it is ended after so many milliseconds, rounded up, by a watchdog of V8's, which ends even a
 * regular expression that goes back for ever.
 *
 * Throws what the work throws; where time is up, what `refuse` makes of that.
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
    ) as Result; // the script gives what it does
  } catch (cause) {
    if (isObject(cause) && cause['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw refuse(cause);
    throw cause;
  }
}
