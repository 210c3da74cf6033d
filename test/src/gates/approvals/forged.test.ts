import { createPublicKey, sign } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { jwsApprovals, type ApprovalKeySet } from '../../../../src/gates/approvals/index.ts';
import {
  asked,
  by,
  claims,
  codeOf,
  compact,
  ecKey,
  edKey,
  granted,
  header,
  hmac,
  now,
  openOf,
  trustedKey,
  options,
  otherKey,
  token,
  verdictOn,
} from './desk.ts';
import { generateKeys } from '../../../key-pair.ts';

const { publicKey: rsaPublic, privateKey: rsaPrivate } = generateKeys('rsa');
const byRsa = (input: Buffer): Buffer => sign('sha256', input, rsaPrivate);
const published = createPublicKey({ key: openOf(edKey), format: 'jwk' });
const valid = token();
const [head = '', payload = '', signature = ''] = valid.split('.');

/** Changes only the unused bits of the last character. */
const respelled = (part: string): string =>
  part.slice(0, -1) + String.fromCharCode(part.charCodeAt(part.length - 1) + 1);

it('verification accepts the token that the forgeries are made from', async () => {
  expect(await verdictOn(valid)).toEqual(granted);
});

it.each<[string, unknown, string]>([
  ['that is no string', undefined, 'APPROVAL_MALFORMED'],
  ['that is null', null, 'APPROVAL_MALFORMED'],
  ['that is an object whose toString throws', { toString: () => expect.fail() }, 'APPROVAL_MALFORMED'],
  ['that is empty', '', 'APPROVAL_MALFORMED'],
  ['of dots', '..', 'APPROVAL_MALFORMED'],
  ['of two parts', `${head}.${payload}`, 'APPROVAL_MALFORMED'],
  ['of four parts', `${valid}.`, 'APPROVAL_MALFORMED'],
  ['in JSON serialization', JSON.stringify({ protected: head, payload, signature }), 'APPROVAL_MALFORMED'],
  ['with a space at its end', `${valid} `, 'APPROVAL_MALFORMED'],
  ['with a line end', `${valid}\n`, 'APPROVAL_MALFORMED'],
  ['with padding', `${valid}==`, 'APPROVAL_MALFORMED'],
  ['in base64 with + and /', `${head}.${payload}.+/${signature.slice(2)}`, 'APPROVAL_MALFORMED'],
  ['that is not ASCII', `${head}.${payload}é.${signature}`, 'APPROVAL_MALFORMED'],
  ['in full-width letters', valid.replace('e', 'ｅ'), 'APPROVAL_MALFORMED'],
  [
    'whose signature has another spelling',
    `${head}.${payload}.${respelled(signature)}`,
    'APPROVAL_MALFORMED',
  ],
  ['whose header is no JSON', compact('{', claims, by(edKey)), 'APPROVAL_MALFORMED'],
  ['whose header is a list', compact([header], claims, by(edKey)), 'APPROVAL_MALFORMED'],
  [
    'whose header holds alg twice',
    compact(`{"alg":"none",${JSON.stringify(header).slice(1)}`, claims, by(edKey)),
    'APPROVAL_MALFORMED',
  ],
  ['without alg', token({}, { alg: undefined }), 'APPROVAL_MALFORMED'],
  ['with crit', token({}, { crit: ['exp'] }), 'APPROVAL_MALFORMED'],
  ['with b64', token({}, { crit: ['b64'], b64: false }), 'APPROVAL_MALFORMED'],
  [
    'with an embedded jwk',
    compact({ ...header, jwk: openOf(otherKey) }, claims, by(otherKey)),
    'APPROVAL_MALFORMED',
  ],
  ['with jku', token({}, { jku: 'https://desk.example/keys' }), 'APPROVAL_MALFORMED'],
  ['with x5u', token({}, { x5u: 'https://desk.example/chain' }), 'APPROVAL_MALFORMED'],
  ['with x5c', token({}, { x5c: ['AA=='] }), 'APPROVAL_MALFORMED'],
  ['with a kid that is a number', token({}, { kid: 1 }), 'APPROVAL_MALFORMED'],
  ['of type JWT', token({}, { typ: 'JWT' }), 'APPROVAL_TYPE_WRONG'],
  ['without a type', token({}, { typ: undefined }), 'APPROVAL_TYPE_WRONG'],
  ['of the type in capitals', token({}, { typ: 'APPROVAL+JWT' }), 'APPROVAL_TYPE_WRONG'],
  ['under an unknown kid', token({}, { kid: 'ed-9' }), 'APPROVAL_KEY_UNKNOWN'],
  [
    'with a kid that names an Object.prototype member',
    token({}, { kid: 'constructor' }),
    'APPROVAL_KEY_UNKNOWN',
  ],
  ['without a kid', token({}, { kid: undefined }), 'APPROVAL_KEY_UNKNOWN'],
  [
    'with alg none, unsigned',
    compact({ ...header, alg: 'none' }, claims, () => Buffer.of()),
    'APPROVAL_ALGORITHM_WRONG',
  ],
  ['with alg none and a valid signature', token({}, { alg: 'none' }), 'APPROVAL_ALGORITHM_WRONG'],
  ['of an empty alg', token({}, { alg: '' }), 'APPROVAL_ALGORITHM_WRONG'],
  ['of an alg in lower case', token({}, { alg: 'eddsa' }), 'APPROVAL_ALGORITHM_WRONG'],
  [
    'of HS256 over the bytes of the public key',
    compact({ ...header, alg: 'HS256' }, claims, hmac(Buffer.from(edKey.x, 'base64url'))),
    'APPROVAL_ALGORITHM_WRONG',
  ],
  [
    'of HS256 over the PEM of the public key',
    compact({ ...header, alg: 'HS256' }, claims, hmac(published.export({ type: 'spki', format: 'pem' }))),
    'APPROVAL_ALGORITHM_WRONG',
  ],
  [
    'of HS256 over the text of the JWK',
    compact({ ...header, alg: 'HS256' }, claims, hmac(JSON.stringify(openOf(edKey)))),
    'APPROVAL_ALGORITHM_WRONG',
  ],
  [
    'of RS256 under the kid of an Ed25519 key',
    compact({ ...header, alg: 'RS256' }, claims, byRsa),
    'APPROVAL_ALGORITHM_WRONG',
  ],
  [
    'of ES256 under the kid of an Ed25519 key',
    compact({ ...header, alg: 'ES256' }, claims, by(ecKey)),
    'APPROVAL_ALGORITHM_WRONG',
  ],
  [
    'of EdDSA under the kid of a P-256 key',
    compact({ ...header, kid: ecKey.kid }, claims, by(edKey)),
    'APPROVAL_ALGORITHM_WRONG',
  ],
  [
    'of ES384 under the kid of a P-256 key',
    compact({ ...header, alg: 'ES384', kid: ecKey.kid }, claims, by(ecKey)),
    'APPROVAL_ALGORITHM_WRONG',
  ],
  ['without a signature', `${head}.${payload}.`, 'APPROVAL_SIGNATURE_WRONG'],
  [
    'with the signature of another token',
    `${head}.${payload}.${token({ jti: 'approval-2' }).split('.')[2]}`,
    'APPROVAL_SIGNATURE_WRONG',
  ],
  ['of another key, under a known kid', compact(header, claims, by(otherKey)), 'APPROVAL_SIGNATURE_WRONG'],
  [
    'of ES256 with a signature in DER',
    compact({ ...header, alg: 'ES256', kid: ecKey.kid }, claims, (input) =>
      sign('sha256', input, { key: ecKey, format: 'jwk' }),
    ),
    'APPROVAL_SIGNATURE_WRONG',
  ],
  [
    'of ES256 with a signature of zeros',
    compact({ ...header, alg: 'ES256', kid: ecKey.kid }, claims, () => Buffer.alloc(64)),
    'APPROVAL_SIGNATURE_WRONG',
  ],
])('verification rejects a token %s', async (_, sent, code) => {
  expect(await codeOf(sent)).toBe(code);
});

const sized = (note: number): string => token({ note: 'x'.repeat(note) });

it('verification reads a token of 8 KiB and rejects one byte more', async () => {
  const sizes = Array.from({ length: 6_000 }, (_, note) => note);
  const longest = sizes.findLast((note) => sized(note).length <= 8_192) ?? 0;
  expect(sized(longest)).toHaveLength(8_192);
  expect(await verdictOn(sized(longest))).toEqual(granted);
  expect(await codeOf(sized(longest + 1))).toBe('APPROVAL_MALFORMED');
});

it('verification rejects a token over 8 KiB before it parses the token or asks for keys', async () => {
  const keys = vi.fn(() => options.keys as ApprovalKeySet);
  const { verify } = jwsApprovals({ ...options, keys });
  const parse = vi.spyOn(JSON, 'parse');
  const verdict = await verify(`${head}.${'A'.repeat(8_192)}.${signature}`, asked, now);
  const calls = parse.mock.calls.length;
  parse.mockRestore();
  expect(verdict).toMatchObject({ refused: 'APPROVAL_MALFORMED' });
  expect([calls, keys.mock.calls.length]).toEqual([0, 0]);
});

it('verification rejects an RSA key, although the key set holds it', async () => {
  const rsa = { ...rsaPublic.export({ format: 'jwk' }), kid: 'rsa', kty: 'RSA' };
  const keys = (): ApprovalKeySet => ({ keys: [{ ...rsa, subjects: 'any' }, trustedKey(edKey)] });
  expect(await codeOf(compact({ ...header, alg: 'RS256', kid: 'rsa' }, claims, byRsa), { keys })).toBe(
    'APPROVAL_KEY_UNKNOWN',
  );
  expect(await verdictOn(valid, { keys })).toEqual(granted);
});
