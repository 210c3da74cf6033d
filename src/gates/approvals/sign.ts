import type { JWK } from 'jose';
import { jose } from '../../base/boundary/jose.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { checkDefinition } from '../../base/define/definition.ts';
import { CharterError } from '../../base/errors.ts';
import type { ApprovalClaims } from '../../base/ports/approvals.ts';
import { SigningKey } from './keys.ts';
import { ApprovalToken, approvalType } from './token.ts';

/** The content of an approval; times in milliseconds since 1970, rounded down to a token's seconds. */
export interface ApprovalToSign {
  /** The approved action, from the question. */
  readonly claims: ApprovalClaims;
  /** The approver, as the host authenticated them. */
  readonly approver: string;
  readonly issuer: string;
  readonly audience: string;
  /** The unique name of the token; it can be used once. */
  readonly jti: string;
  readonly issuedAt: number;
  /** `issuedAt` by default. */
  readonly notBefore?: number;
  /** At most 30 days after `notBefore`. */
  readonly expiresAt: number;
  /** `approve` by default. */
  readonly decision?: 'approve' | 'reject';
  /** A private JWK of Ed25519 or P-256 with a `kid`. */
  readonly key: Readonly<JWK>;
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

const Claims = ApprovalToken.strip();

const claimsOf = (approval: ApprovalToSign): ApprovalToken =>
  parseDocument('approval', Claims, {
    ...approval.claims,
    iss: approval.issuer,
    sub: approval.approver,
    aud: approval.audience,
    jti: approval.jti,
    iat: seconds(approval.issuedAt),
    nbf: seconds(approval.notBefore ?? approval.issuedAt),
    exp: seconds(approval.expiresAt),
    decision: approval.decision ?? 'approve',
  });

interface Signer {
  /** The key as it was read; its owner may change it. */
  readonly text: string;
  readonly kid: string;
  readonly alg: string;
  readonly jwk: JWK;
}

/** Returns the members of a key that are read, as text. */
const textOf = ({ kid, kty, crv, x, y, d, alg, use, key_ops }: Readonly<JWK>): string =>
  JSON.stringify([kid, kty, crv, x, y, d, alg, use, key_ops]);

/** Keys that were read; `jose` imports each object once. */
const signers = new WeakMap<Readonly<JWK>, Signer>();

/** Reads a private key, unless it was read before. Throws `definition_invalid`. */
const signerOf = ({ issuer, key }: ApprovalToSign): Signer => {
  const known = signers.get(key);
  if (known !== undefined && known.text === textOf(key)) return known;
  checkDefinition('signing key', issuer, SigningKey, key);
  const { kid, algorithms, jwk, d } = SigningKey.parse(key);
  const signer = { text: textOf(key), kid, alg: algorithms[0], jwk: { ...jwk, d } };
  signers.set(key, signer);
  return signer;
};

/** Returns `null` if the two halves of the key do not match. */
const sign = async (claims: ApprovalToken, { alg, kid, jwk }: Signer): Promise<string | null> => {
  const { CompactSign } = await jose();
  try {
    return await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg, typ: approvalType, kid })
      .sign(jwk);
  } catch {
    return null; // the error could quote the key
  }
};

/**
 * Returns an approval token for an approver's decision, for the host's approval desk (UAICP 5.3; RFC 7515, 7519).
 *
 * Rejects with `definition_invalid` for an unusable key, and with `document_invalid` for invalid claims.
 */
export const signApproval = async (approval: ApprovalToSign): Promise<string> => {
  const signer = signerOf(approval);
  const token = await sign(claimsOf(approval), signer);
  if (token !== null) return token;
  const message = 'expected the private half of the same key';
  throw new CharterError(
    'definition_invalid',
    `signing key ${JSON.stringify(approval.issuer)}: /d ${message}`,
    {
      definition: 'signing key',
      issues: [{ path: '/d', message }],
    },
  );
};
