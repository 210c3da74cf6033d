import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../../base/boundary/secret.ts';

/** The maximum of unused tokens. The oldest ones expire first. */
const maxTokens = 1_000;

/** Creates single-use tokens. */
export const createLinks = () => {
  const unused = new Set<string>();
  return {
    /** Returns a new token of 24 random bytes. */
    make: (): string => {
      const token = randomSecret();
      unused.add(token);
      for (const oldest of unused) {
        if (unused.size <= maxTokens) break;
        unused.delete(oldest);
      }
      return token;
    },
    /** Uses a token. Returns whether it is valid; afterwards it is not. */
    use: (given: string): boolean => {
      const token = [...unused].find((one) => isSameSecret(one, given));
      return token !== undefined && unused.delete(token);
    },
  };
};

/** Returns 24 random bytes, encoded for URLs and cookies. */
export const randomSecret = (): string => randomBytes(24).toString('base64url');
