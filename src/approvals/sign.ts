import type { JWK } from 'jose';
import type { z } from 'zod';
import { parseDocument } from '../boundary/parse-document.ts';
import { checkDefinition } from '../define/definition.ts';
import { CharterError } from '../errors.ts';
import type { ApprovalClaims } from '../ports/approvals.ts';
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

const claimsOf = (approval: ApprovalToSign): ApprovalToken =>
  parseDocument('approval', ApprovalToken.strip(), {
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

/** Returns `null` if the two halves of the key do not match. */
const sign = async (claims: ApprovalToken, key: z.infer<typeof SigningKey>): Promise<string | null> => {
  const { CompactSign } = await import('jose');
  try {
    return await new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: key.algorithms[0], typ: approvalType, kid: key.kid })
      .sign({ ...key.jwk, d: key.d });
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
  checkDefinition('signing key', approval.issuer, SigningKey, approval.key);
  const token = await sign(claimsOf(approval), SigningKey.parse(approval.key));
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
