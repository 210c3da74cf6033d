import { createHmac, createPrivateKey, sign, type JsonWebKey } from 'node:crypto';
import {
  jwsApprovals,
  type ApprovalJwk,
  type JwsApprovalsOptions,
  type Subjects,
} from '../../../../src/gates/approvals/index.ts';
import type { ApprovalClaims, ApprovalRefusal, Grant } from '../../../../src/base/ports/approvals.ts';

interface DeskKey extends JsonWebKey {
  readonly kid: string;
  readonly kty: 'OKP' | 'EC';
  readonly crv: string;
  readonly x: string;
  readonly d: string;
}

/** The key pair of RFC 8037, appendix A.1. */
export const edKey: DeskKey = {
  kid: 'ed-1',
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

/** The key pair of RFC 7515, appendix A.3.1. */
export const ecKey: DeskKey & { readonly y: string } = {
  kid: 'ec-1',
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI',
};

/** Test keys 1 and 2 of RFC 8032, section 7.1, are those of `edKey` and of this one. */
export const otherKey: DeskKey = {
  kid: 'ed-2',
  kty: 'OKP',
  crv: 'Ed25519',
  d: Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex').toString(
    'base64url',
  ),
  x: Buffer.from('3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c', 'hex').toString(
    'base64url',
  ),
};

/** Returns the public key as a key set publishes it. */
export const openOf = (key: DeskKey): Omit<DeskKey, 'd'> => {
  const { d: _, ...open } = key;
  return open;
};

/** Returns the public key as a key set publishes it, with the people it may sign for. */
export const trustedKey = (key: DeskKey, subjects: Subjects = 'any'): ApprovalJwk => ({
  ...openOf(key),
  subjects,
});

/** 2026-01-01T00:00:00Z, in seconds and in milliseconds. */
export const start = 1_767_225_600;
export const now = start * 1_000;

const digestOf = (digit: string): string => `sha256:${digit.repeat(64)}`;

export const asked: ApprovalClaims = {
  request_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
  tool: 'wire-transfer',
  tool_version: '2',
  action_digest: digestOf('a'),
  tier: 'write_high_risk',
  policy_version: 'rules-7',
  summary_digest: digestOf('b'),
};

export const elsewhere = digestOf('c');

export const claims = {
  iss: 'https://desk.example',
  sub: 'kim',
  aud: 'payments',
  jti: 'approval-1',
  iat: start,
  nbf: start,
  exp: start + 600,
  decision: 'approve',
  ...asked,
};

export const header = { alg: 'EdDSA', typ: 'approval+jwt', kid: edKey.kid };

const encode = (part: unknown): string =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');

/** Builds a compact JWS without `jose`; string parts are used unchanged. */
export const compact = (head: unknown, payload: unknown, signer: (input: Buffer) => Buffer): string => {
  const input = `${encode(head)}.${encode(payload)}`;
  return `${input}.${signer(Buffer.from(input)).toString('base64url')}`;
};

/** Signs with Ed25519, or with ECDSA over SHA-256, depending on the key. */
export const by =
  (key: DeskKey) =>
  (input: Buffer): Buffer => {
    const privateKey = createPrivateKey({ key, format: 'jwk' });
    if (key.kty === 'OKP') return sign(null, input, privateKey);
    return sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  };

/** Signs with HMAC, as an attacker who uses a public key as the shared secret. */
export const hmac =
  (secret: string | Buffer) =>
  (input: Buffer): Buffer =>
    createHmac('sha256', secret).update(input).digest();

/** A valid token of `edKey`, except for the given members; `undefined` omits one. */
export const token = (changed: object = {}, changedHeader: object = {}): string =>
  compact({ ...header, ...changedHeader }, { ...claims, ...changed }, by(edKey));

export const options: JwsApprovalsOptions = {
  issuer: claims.iss,
  audience: claims.aud,
  keys: { keys: [trustedKey(edKey), trustedKey(ecKey)] },
};

/** Verifies a token with `jwsApprovals`. */
export const verdictOn = (
  sent: unknown,
  {
    at = now,
    expected = asked,
    ...changed
  }: Partial<JwsApprovalsOptions> & { at?: number; expected?: ApprovalClaims } = {},
): Promise<Grant | ApprovalRefusal> =>
  jwsApprovals({ ...options, ...changed }).verify(sent as string, expected, at);

export const granted: Grant = { approver: 'kim', jti: 'approval-1', expiresAt: (start + 600) * 1_000 };

/** Returns the refusal code of a token, or `null` if it is granted. */
export const codeOf = async (...question: Parameters<typeof verdictOn>): Promise<string | null> => {
  const verdict = await verdictOn(...question);
  return 'refused' in verdict ? verdict.refused : null;
};
