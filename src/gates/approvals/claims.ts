import { readAs, verifySignature } from './compact.ts';
import type { PinnedKey } from './keys.ts';
import { ApprovalToken } from './token.ts';

/** The number of verified tokens that are kept: each is read when it is given, and again before its action. */
const keptTokens = 1_000;

interface Verified {
  /** The key that signed the token, as text: another key under the same `kid` verifies it anew. */
  readonly signer: string;
  readonly claims: ApprovalToken;
}

/** Creates a reader of the claims of tokens, which verifies the signature of a token once per key. */
export const createClaimsReader = () => {
  const verified = new Map<string, Verified>();

  const keep = (token: string, entry: Verified): void => {
    const [oldest] = verified.keys();
    if (verified.size >= keptTokens && oldest !== undefined) verified.delete(oldest);
    verified.set(token, entry);
  };

  /** Returns the claims of a token that `key` signed, or why there are none. */
  return async (token: string, key: PinnedKey): Promise<ApprovalToken | 'unsigned' | 'malformed'> => {
    const signer = JSON.stringify([key.jwk, key.algorithms]);
    const known = verified.get(token);
    if (known?.signer === signer) return known.claims;
    const payload = await verifySignature(token, key);
    if (payload === null) return 'unsigned';
    const claims = readAs(ApprovalToken, payload);
    if (claims === null) return 'malformed';
    keep(token, { signer, claims });
    return claims;
  };
};
