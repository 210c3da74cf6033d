import { clause } from '../boundary/issues-of.ts';
import { frozenCopy } from '../canonical/freeze.ts';
import { shownPointer } from '../canonical/unreadable.ts';
import type { Bounds } from '../canonical/deep-freeze.ts';
import { CharterError, isCharterError, type Issue } from '../errors.ts';

/** Returns the error for a schema that cannot be used, with what is accepted instead. */
export function refused(
  issues: readonly Issue[],
  accepted: string,
  options?: ErrorOptions,
): CharterError<'definition_invalid'> {
  const { path, message: found } = issues[0] ?? { path: '', message: 'is refused' };
  const place = path === '' ? 'schema' : `schema at ${shownPointer(path)}`;
  const message = `${clause(place, found)}; accepted: ${accepted}`;
  return new CharterError('definition_invalid', message, { definition: 'schema', issues }, options);
}

/** Returns a frozen copy. Throws `definition_invalid` if the value is not plain JSON data, or exceeds the bounds. */
export function frozen(document: string, value: unknown, bounds: Bounds): unknown {
  try {
    return frozenCopy(value, document, bounds);
  } catch (cause) {
    if (!isCharterError(cause, 'input_unreadable')) throw cause;
    const { path, reason } = cause.details;
    const issues = [{ path, message: reason }];
    throw new CharterError('definition_invalid', cause.message, { definition: document, issues }, { cause });
  }
}
