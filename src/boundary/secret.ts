import { createHash, timingSafeEqual } from 'node:crypto';
import { CharterError } from '../errors.ts';

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns whether two texts are equal, in constant time. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(hashOf(one), hashOf(other));

/** Returns the cookie with this name; the first one, if there are several. */
export function cookieIn(cookies: string, name: string): string | undefined {
  const pairs = cookies.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Returns the error for a secret that is too weak, without quoting it. */
export const weakSecret = (
  definition: string,
  path: string,
  message: string,
): CharterError<'definition_invalid'> =>
  new CharterError('definition_invalid', `${definition}: ${path} ${message}`, {
    definition,
    issues: [{ path, message }],
  });
