import { createHash, timingSafeEqual } from 'node:crypto';

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns whether two texts are equal, in constant time. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(hashOf(one), hashOf(other));

/** Returns the cookie with this name; the first one, if there are several. */
export function cookieIn(cookies: string, name: string): string | undefined {
  const pairs = cookies.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
