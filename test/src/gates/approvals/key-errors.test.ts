import { describe, expect, it, vi } from 'vitest';
import { ApprovalToken, jwsApprovals, signApproval } from '../../../../src/gates/approvals/index.ts';
import { keyUnder, SigningKey, VerificationKey } from '../../../../src/gates/approvals/keys.ts';
import {
  asked,
  claims,
  codeOf,
  ecKey,
  edKey,
  now,
  openOf,
  options,
  otherKey,
  start,
  token,
  trustedKey,
} from './desk.ts';

const ed = openOf(edKey);
const { d: _d, ...ec } = ecKey;

/** Returns the paths and messages of the faults of a verification or signing key. */
const faultsOf = (schema: typeof VerificationKey | typeof SigningKey, key: unknown): unknown =>
  schema.safeParse(key).error?.issues.map(({ path, message }) => [path.join('/'), message]);

const bytes = 'expected 32 bytes in base64url';
const point = 'expected a point of its curve';

describe('The error for an unsuitable key gives the path and what is accepted', () => {
  it.each<[object, string, string]>([
    [{ ...ed, x: edKey.x.slice(2) }, 'x', bytes],
    [{ ...ed, x: `${edKey.x}AA` }, 'x', bytes],
    [{ ...ed, x: `${edKey.x.slice(0, -1)}=` }, 'x', bytes],
    [{ ...ed, x: `${edKey.x.slice(0, -1)}p` }, 'x', bytes],
    [{ ...ec, x: 'AA' }, 'x', bytes],
    [{ ...ec, y: 'AA' }, 'y', bytes],
    [{ ...ec, y: ec.x }, '', point],
    [{ ...ed, key_ops: ['sign'] }, 'key_ops', 'expected one of them to be verify'],
    [{ ...ed, key_ops: [] }, 'key_ops', 'expected one of them to be verify'],
    [edKey, 'd', 'expected a public key, without d'],
    [ecKey, 'd', 'expected a public key, without d'],
  ])('when verifying: %j', (key, path, message) => {
    expect(faultsOf(VerificationKey, key)).toEqual([[path, message]]);
  });

  it.each<[object, string, string]>([
    [{ ...edKey, d: 'AA' }, 'd', bytes],
    [{ ...edKey, key_ops: ['verify'] }, 'key_ops', 'expected one of them to be sign'],
    [{ ...ecKey, y: ecKey.x }, '', point],
  ])('when signing: %j', (key, path, message) => {
    expect(faultsOf(SigningKey, key)).toEqual([[path, message]]);
  });
});

describe('An accepted key', () => {
  const inUse = { use: 'sig', key_ops: ['encrypt', 'verify', 'sign'], ext: true };

  it('has the algorithms of its type and only its public members', () => {
    expect(VerificationKey.parse({ ...ed, ...inUse, alg: 'Ed25519' })).toEqual({
      kid: 'ed-1',
      algorithms: ['EdDSA', 'Ed25519'],
      jwk: { kty: 'OKP', crv: 'Ed25519', x: edKey.x },
    });
    expect(VerificationKey.parse({ ...ec, ...inUse, alg: 'ES256' })).toEqual({
      kid: 'ec-1',
      algorithms: ['ES256'],
      jwk: { kty: 'EC', crv: 'P-256', x: ecKey.x, y: ecKey.y },
    });
  });

  it('also has its private member when it is a signing key', () => {
    const { d } = edKey;
    expect(SigningKey.parse({ ...edKey, ...inUse, alg: 'EdDSA' })).toEqual({
      ...VerificationKey.parse(ed),
      d,
    });
    expect(SigningKey.parse({ ...ecKey, ...inUse })).toEqual({ ...VerificationKey.parse(ec), d: ecKey.d });
  });

  it('is found only when its kid is unique', () => {
    const rest = [null, undefined, 'ec-1', 7, {}, { kid: 'ed-1', kty: 'RSA' }] as never[];
    const keys = { keys: [...rest, ec, openOf(otherKey)] };
    expect(keyUnder(keys, 'ec-1')).toEqual(VerificationKey.parse(ec));
    expect(keyUnder(keys, 'ed-1')).toBeNull();
    expect(keyUnder(keys, 'ed-9')).toBeNull();
    expect(keyUnder({ keys: [ed, ec, ed] }, 'ed-1')).toBeNull();
  });
});

it('a key function is not called for a token without a kid', async () => {
  const keys = vi.fn(() => ({ keys: [trustedKey(edKey)] }));
  expect(await codeOf(token({}, { kid: undefined }), { keys })).toBe('APPROVAL_KEY_UNKNOWN');
  expect(keys).not.toHaveBeenCalled();
  expect(await codeOf(token(), { keys })).toBeNull();
  expect(keys).toHaveBeenCalledOnce();
});

it('a key set rejects two keys with one kid', () => {
  const keys = { keys: [trustedKey(edKey), { ...trustedKey(ecKey), kid: 'ed-1' }] };
  expect(() => jwsApprovals({ ...options, keys })).toThrow(
    expect.objectContaining({
      details: {
        definition: 'approvals',
        issues: [{ path: '/keys/keys', message: 'expected each kid once' }],
      },
    }),
  );
});

it('the error for a key with a mismatched private half explains it without quoting the key', async () => {
  const message = 'expected the private half of the same key';
  const signed = signApproval({
    claims: asked,
    approver: claims.sub,
    issuer: claims.iss,
    audience: claims.aud,
    jti: claims.jti,
    issuedAt: now,
    expiresAt: now + 1_000,
    key: { ...edKey, d: otherKey.d },
  });
  await expect(signed).rejects.toMatchObject({
    message: `signing key "${claims.iss}": /d ${message}`,
    details: { definition: 'signing key', issues: [{ path: '/d', message }] },
  });
});

const claimFaults = (changed: object): unknown =>
  ApprovalToken.safeParse({ ...claims, ...changed }).error?.issues.map(({ path, message }) => [
    path.join('/'),
    message,
  ]);

describe('The claims of a token', () => {
  const life = 'expected a time after nbf and at most 30 days later';
  const digest = 'expected sha256: and 64 lower-case hex digits';
  const name = expect.stringContaining('{1,512}') as string;

  it.each<[string, object, readonly (readonly [string, string])[]]>([
    ['end after they begin', { exp: start }, [['exp', life]]],
    ['end within 30 days', { exp: start + 2_592_001 }, [['exp', life]]],
    ['name the action by its digest', { action_digest: 'sha256:0' }, [['action_digest', digest]]],
    ['name the summary by its digest', { summary_digest: 'sha256:0' }, [['summary_digest', digest]]],
    ['have an issuer of printable characters', { iss: 'a\nb' }, [['iss', name]]],
    ['have an issuer of one character at least', { iss: '' }, [['iss', name]]],
    ['have an issuer of 512 characters at most', { iss: 'a'.repeat(513) }, [['iss', name]]],
  ])('must %s', (_, changed, wrong) => {
    expect(claimFaults(changed)).toEqual(wrong);
  });

  it.each<[string, object]>([
    ['end a second after they begin', { exp: start + 1 }],
    ['end after 30 days', { exp: start + 2_592_000 }],
    ['have an issuer of one character', { iss: ' ' }],
    ['have an issuer of 512 characters', { iss: '~'.repeat(512) }],
    ['begin in 1970, and end then', { iat: 0, nbf: 0, exp: 1 }],
    ['end when a Date does', { nbf: 8_640_000_000_000 - 1, exp: 8_640_000_000_000 }],
  ])('may %s', (_, changed) => {
    expect(claimFaults(changed)).toBeUndefined();
  });

  it('may not end after the last Date or begin before 1970', () => {
    expect(claimFaults({ nbf: 8_640_000_000_000, exp: 8_640_000_000_001 })).not.toBeUndefined();
    expect(claimFaults({ iat: -1 })).not.toBeUndefined();
  });
});
