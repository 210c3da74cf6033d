import { createHmac, createPublicKey } from 'node:crypto';
import { expect } from 'vitest';
import { jwsApprovals } from '../../src/gates/approvals/index.ts';
import type { Scene } from '../src/core/shell/scene.ts';
import {
  by,
  compact,
  ecKey,
  edKey,
  header,
  hmac,
  openOf,
  options,
  otherKey,
} from '../src/gates/approvals/desk.ts';
import { stopped, unmoved, type Attack, type Stop } from './attack.ts';
import { bank, bring, claimsFor, expectRefusal, signed } from './bank.ts';

/** A token that is brought and refused with a record; the bank is never touched, and an honest one still counts. */
export const forgery = (
  number: number,
  attempt: string,
  expected: Stop,
  forge: (one: Scene) => string | Promise<string>,
  source?: string,
): Attack => ({
  number,
  attempt,
  expected,
  ...(source !== undefined && { source }),
  run: async () => {
    const one = bank();
    const taskId = await one.submit();
    const stop = await unmoved(one, async () => bring(one, await forge(one)));
    await expectRefusal(one, taskId, stop);
    expect(one.paid).toEqual([]);
    await bring(one, await signed(one));
    expect(one.paid).toHaveLength(1);
    return stop;
  },
});

const tokenOf = async (one: Scene, head: object, signer: Parameters<typeof compact>[2]): Promise<string> =>
  compact({ ...header, ...head }, claimsFor(one, await one.question()), signer);

const none = (): Buffer => Buffer.alloc(0);
const publicPem = createPublicKey({ key: openOf(edKey), format: 'jwk' }).export({
  type: 'spki',
  format: 'pem',
});
const publicBytes = Buffer.from(edKey.x, 'base64url');

const flipped = (token: string, part: number): string => {
  const parts = token.split('.');
  const bytes = Buffer.from(parts[part] ?? '', 'base64url');
  bytes.writeUInt8(bytes.readUInt8(9) ^ 1, 9);
  return parts.with(part, bytes.toString('base64url')).join('.');
};

const jwt = 'RFC 8725';

export const forged: readonly Attack[] = [
  forgery(3, 'a text that is not a token', 'APPROVAL_MALFORMED', () => 'approved', 'CWE-347'),
  forgery(3, 'an unsigned token', 'APPROVAL_SIGNATURE_WRONG', (one) => tokenOf(one, {}, none), 'CWE-347'),
  forgery(
    3,
    'a token that another key signed under the name of a trusted one',
    'APPROVAL_SIGNATURE_WRONG',
    (one) => tokenOf(one, {}, by(otherKey)),
    'CWE-347',
  ),
  forgery(
    3,
    'a token of an untrusted key',
    'APPROVAL_KEY_UNKNOWN',
    (one) => tokenOf(one, { kid: otherKey.kid }, by(otherKey)),
    'CWE-347',
  ),
  forgery(
    3,
    'a token that names no key',
    'APPROVAL_KEY_UNKNOWN',
    (one) => tokenOf(one, { kid: undefined }, by(edKey)),
    jwt,
  ),
  forgery(
    3,
    'a key that is named like a member of every object',
    'APPROVAL_KEY_UNKNOWN',
    (one) => tokenOf(one, { kid: 'constructor' }, by(edKey)),
    'CWE-1321',
  ),
  forgery(3, 'claims that were changed after signing', 'APPROVAL_SIGNATURE_WRONG', async (one) => {
    const [head, , signature] = (await signed(one, { sub: 'nobody' })).split('.');
    return [head, (await signed(one)).split('.')[1], signature].join('.');
  }),
  forgery(3, 'one bit of the signature changed', 'APPROVAL_SIGNATURE_WRONG', async (one) =>
    flipped(await signed(one), 2),
  ),
  forgery(
    3,
    'the same signature in another spelling of its bytes',
    'APPROVAL_MALFORMED',
    async (one) => `${await signed(one)}=`,
    'RFC 4648, 3.5',
  ),

  forgery(
    8,
    'the algorithm none',
    'APPROVAL_ALGORITHM_WRONG',
    (one) => tokenOf(one, { alg: 'none' }, none),
    jwt,
  ),
  forgery(
    8,
    'the algorithm None, in another case',
    'APPROVAL_ALGORITHM_WRONG',
    (one) => tokenOf(one, { alg: 'nOnE' }, none),
    jwt,
  ),
  forgery(
    8,
    'HS256 with the bytes of the public key for a secret',
    'APPROVAL_ALGORITHM_WRONG',
    (one) => tokenOf(one, { alg: 'HS256' }, hmac(publicBytes)),
    jwt,
  ),
  forgery(
    8,
    'HS256 with the PEM of the public key for a secret',
    'APPROVAL_ALGORITHM_WRONG',
    (one) => tokenOf(one, { alg: 'HS256' }, hmac(String(publicPem))),
    jwt,
  ),
  forgery(
    8,
    'HMAC under the name of the right algorithm',
    'APPROVAL_SIGNATURE_WRONG',
    (one) => tokenOf(one, {}, (input) => createHmac('sha512', publicBytes).update(input).digest()),
    jwt,
  ),
  forgery(
    8,
    'ES256 under the name of an Ed25519 key',
    'APPROVAL_ALGORITHM_WRONG',
    (one) => tokenOf(one, { alg: 'ES256' }, by(ecKey)),
    jwt,
  ),
  forgery(
    8,
    'EdDSA under the name of a P-256 key',
    'APPROVAL_ALGORITHM_WRONG',
    (one) => tokenOf(one, { kid: ecKey.kid }, by(edKey)),
    jwt,
  ),
  forgery(
    8,
    'an unknown critical extension',
    'APPROVAL_MALFORMED',
    (one) => tokenOf(one, { crit: ['b64'], b64: false }, by(edKey)),
    'RFC 7515, 4.1.11',
  ),
  forgery(
    8,
    'a token that brings its own key',
    'APPROVAL_MALFORMED',
    (one) => tokenOf(one, { jwk: openOf(otherKey) }, by(otherKey)),
    jwt,
  ),
  forgery(
    8,
    'a token that says where its key is to be fetched',
    'APPROVAL_MALFORMED',
    (one) => tokenOf(one, { jku: 'https://evil.example/keys' }, by(otherKey)),
    jwt,
  ),
  {
    number: 8,
    attempt: 'a shared secret among the trusted keys',
    expected: 'definition_invalid',
    source: jwt,
    run: () =>
      stopped(() =>
        jwsApprovals({
          ...options,
          keys: { keys: [{ kty: 'oct', kid: 'shared', k: 'c2VjcmV0', subjects: 'any' }] },
        }),
      ),
  },

  forgery(9, 'a token of another type', 'APPROVAL_TYPE_WRONG', (one) => signed(one, {}, { typ: 'JWT' }), jwt),
  forgery(9, 'a token of no type', 'APPROVAL_TYPE_WRONG', (one) => signed(one, {}, { typ: undefined }), jwt),
  forgery(
    9,
    'a token of the type of a checkpoint',
    'APPROVAL_TYPE_WRONG',
    (one) => signed(one, {}, { typ: 'checkpoint+jwt' }),
    jwt,
  ),
  forgery(
    9,
    'a token for another audience',
    'APPROVAL_AUDIENCE_WRONG',
    (one) => signed(one, { aud: 'shop' }),
    jwt,
  ),
  forgery(
    9,
    'a token for a list of audiences that leaves this one out',
    'APPROVAL_AUDIENCE_WRONG',
    (one) => signed(one, { aud: ['shop', 'payments-2'] }),
    jwt,
  ),
  forgery(
    9,
    'a token without an audience',
    'APPROVAL_MALFORMED',
    (one) => signed(one, { aud: undefined }),
    jwt,
  ),
  forgery(
    9,
    'a token of another issuer',
    'APPROVAL_ISSUER_WRONG',
    (one) => signed(one, { iss: 'https://desk.example.evil' }),
    jwt,
  ),
  forgery(
    9,
    'a token without an issuer',
    'APPROVAL_MALFORMED',
    (one) => signed(one, { iss: undefined }),
    jwt,
  ),
];
