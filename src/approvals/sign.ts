import type { JWK } from 'jose';
import type { z } from 'zod';
import { parseDocument } from '../boundary/parse-document.ts';
import { checkDefinition } from '../define/definition.ts';
import { CharterError } from '../errors.ts';
import type { ApprovalClaims } from '../ports/approvals.ts';
import { SigningKey } from './keys.ts';
import { ApprovalToken, approvalType } from './token.ts';

/** What an approval desk signs; times in milliseconds since 1970, rounded down to the seconds of a token. */
export interface ApprovalToSign {
  /** What is approved, from the question that the approver answers. */
  readonly claims: ApprovalClaims;
  /** Who decides, as the host's authentication knows them. */
  readonly approver: string;
  readonly issuer: string;
  readonly audience: string;
  /** The token's own name, never used before: it is spent once. */
  readonly jti: string;
  readonly issuedAt: number;
  /** `issuedAt` unless given. */
  readonly notBefore?: number;
  /** At most 30 days after `notBefore`. */
  readonly expiresAt: number;
  /** `approve` unless given. */
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

/** `null` where the halves of the key do not belong together. */
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
 * An approval token for an approver's decision, for the host's approval desk (UAICP 5.3; RFC 7515, 7519).
 *
 * Rejects with `definition_invalid` for a key that cannot sign, and with `document_invalid` for claims that do not fit.
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
