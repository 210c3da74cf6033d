import { CharterError, isCharterError } from '../errors.ts';
import { frozenCopy, valueBounds } from './freeze.ts';
import { shownPointer } from './unreadable.ts';

/** What to return instead of a value that is not JSON. */
const remedies: readonly (readonly [reason: RegExp, remedy: string])[] = [
  [/ a Date$/, 'an RFC 3339 text, such as z.iso.datetime() in place of z.date(), or toISOString()'],
  [/ a Map$/, 'an object, such as z.record() in place of z.map()'],
  [/ a Set$/, 'an array, such as z.array() in place of z.set()'],
  [/ binary data$/, 'base64 text'],
  [/ bigint$/, 'a string of digits'],
  [/ undefined$/, 'null, or leave the member out'],
  [/ (?:NaN|-?Infinity)$/, 'null'],
];

/** Returns the error for a value of the host that no record can hold. */
export const notJson = (value: string, path: string, reason: string, expected: string, cause?: unknown) => {
  const place = path === '' ? value : `${value} at ${shownPointer(path)}`;
  const message = `${place} is not JSON: ${reason}; return ${expected}`;
  return new CharterError('value_not_json', message, { value, path, reason }, { cause });
};

/** Returns the error for a schema that must return an object and returned another JSON value. */
export const notAnObject = (value: string): CharterError<'value_not_json'> =>
  notJson(value, '', 'it is no object', 'an object with members');

/**
 * Returns a deeply frozen copy of a value that the host's code returned; `value` names it in an error.
 *
 * Throws `value_not_json`, because only JSON can be recorded.
 */
export const jsonValue = (given: unknown, value: string, bounds = valueBounds): unknown => {
  try {
    return frozenCopy(given, value, bounds);
  } catch (cause) {
    if (!isCharterError(cause, 'input_unreadable')) throw cause;
    const { path, reason } = cause.details;
    const { depth, members, text } = bounds;
    const less = `at most ${text} UTF-16 code units, ${members} members and ${depth} levels`;
    const remedy = / too /.test(reason) ? less : remedies.find(([pattern]) => pattern.test(reason))?.[1];
    const plain = 'plain objects, arrays, strings, finite numbers, booleans and null';
    throw notJson(value, path, reason, remedy ?? plain, cause);
  }
};
