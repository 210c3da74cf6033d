import { visibleJson } from '../text/foreign-text.ts';
import { CharterError } from '../errors.ts';

/**
 * Returns the JSON Pointer (RFC 6901) of a path of keys and indexes; the empty string is the document itself.
 *
 * A lone surrogate in a key becomes U+FFFD, so that an error can always be recorded.
 */
export const pointerTo = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
    .replaceAll(/\p{Surrogate}/gu, '\ufffd');

/**
 * Returns a JSON Pointer for a message: quoted, so that a key cannot forge a log line, without invisible characters,
 * and cut at 200 characters.
 */
export const shownPointer = (path: string): string =>
  visibleJson(path.length > 200 ? `${path.slice(0, 200)}…` : path);

/** Returns the `input_unreadable` error for refused input. It never holds a value of the input. */
export function unreadable(
  document: string,
  path: readonly PropertyKey[],
  reason: string,
  accepted: string,
): CharterError<'input_unreadable'> {
  const pointer = pointerTo(path);
  const place = pointer === '' ? document : `${document} at ${shownPointer(pointer)}`;
  return new CharterError('input_unreadable', `${place} is not read: ${reason}; accepted: ${accepted}`, {
    document,
    path: pointer,
    reason,
  });
}
