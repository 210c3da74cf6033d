import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../boundary/secret.ts';

/** Links that no one used are forgotten, the oldest first, once there are more than that. */
const most = 1_000;

/** Makes tokens, each of which lets in once. */
export const createLinks = () => {
  const unused = new Set<string>();
  return {
    /** Makes a token of 24 random bytes. */
    make: (): string => {
      const token = randomSecret();
      unused.add(token);
      for (const oldest of unused) {
        if (unused.size <= most) break;
        unused.delete(oldest);
      }
      return token;
    },
    /** Whether a token lets in; it never does again. */
    use: (given: string): boolean => {
      const token = [...unused].find((one) => isSameSecret(one, given));
      return token !== undefined && unused.delete(token);
    },
  };
};

/** 24 random bytes, as they can stand in a URL and in a cookie. */
export const randomSecret = (): string => randomBytes(24).toString('base64url');
