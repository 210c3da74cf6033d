import { createHash, timingSafeEqual } from 'node:crypto';
import { CharterError } from '../errors.ts';

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether two texts are the same, in a time that tells nothing of where they differ. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(hashOf(one), hashOf(other));

/** The cookie of a name that a request brings along; the first, where it brings several. */
export function cookieIn(cookies: string, name: string): string | undefined {
  const pairs = cookies.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** A secret that is too weak, as an error that does not quote it. */
export const weakSecret = (
  definition: string,
  path: string,
  message: string,
): CharterError<'definition_invalid'> =>
  new CharterError('definition_invalid', `${definition}: ${path} ${message}`, {
    definition,
    issues: [{ path, message }],
  });
