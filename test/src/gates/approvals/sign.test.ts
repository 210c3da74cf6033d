import { describe, expect, it } from 'vitest';
import { ApprovalToken, signApproval, type ApprovalToSign } from '../../../../src/gates/approvals/index.ts';
import { asked, claims, codeOf, ecKey, edKey, granted, now, otherKey, start, verdictOn } from './desk.ts';

const approval: ApprovalToSign = {
  claims: asked,
  approver: claims.sub,
  issuer: claims.iss,
  audience: claims.aud,
  jti: claims.jti,
  issuedAt: now,
  expiresAt: now + 600_000,
  key: edKey,
};

const signed = (changed: object = {}): Promise<string> => signApproval({ ...approval, ...changed });
const payloadOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('a signed approval', () => {
  it.each([
    ['Ed25519', edKey],
    ['P-256', ecKey],
  ])('with %s is accepted and matches its schema', async (_, key) => {
    const token = await signed({ key });
    expect(await verdictOn(token)).toEqual(granted);
    expect(ApprovalToken.parse(payloadOf(token))).toEqual(claims);
  });

  it('is of the key as it is now, although its object was used before', async () => {
    const key = { ...edKey };
    expect(await verdictOn(await signed({ key }))).toEqual(granted);
    Object.assign(key, { x: otherKey.x, d: otherKey.d });
    expect(await codeOf(await signed({ key }))).toBe('APPROVAL_SIGNATURE_WRONG');
  });

  it('may become valid after it is issued', async () => {
    const token = await signed({ notBefore: now + 60_000 });
    expect(payloadOf(token)).toEqual({ ...claims, nbf: start + 60 });
    expect(await codeOf(token)).toBe('APPROVAL_NOT_YET_VALID');
  });

  it('may carry a rejection', async () => {
    expect(await codeOf(await signed({ decision: 'reject' }))).toBe('APPROVAL_REJECTED');
  });

  it('rounds its times down to seconds', async () => {
    const token = await signed({ issuedAt: now + 999, notBefore: now + 1_999, expiresAt: now + 600_999 });
    expect(payloadOf(token)).toEqual({ ...claims, nbf: start + 1 });
  });

  it('contains only approval claims, which the caller cannot override', async () => {
    const token = await signed({ claims: { ...asked, sub: 'eve', iss: 'eve', note: 'x' } });
    expect(payloadOf(token)).toEqual(claims);
  });

  it('fits into 8 KiB with the longest allowed names', async () => {
    const long = '"'.repeat(128);
    const name = '"'.repeat(512);
    const expected = { ...asked, request_id: long, tool: long, tool_version: long, policy_version: name };
    const token = await signed({
      claims: expected,
      approver: long,
      jti: long,
      issuer: name,
      audience: name,
      key: { ...edKey, kid: long },
    });
    const keys = { keys: [{ kty: edKey.kty, crv: edKey.crv, x: edKey.x, kid: long, subjects: [long] }] };
    expect(await verdictOn(token, { issuer: name, audience: name, keys, expected })).toMatchObject({
      jti: long,
    });
  });
});

const { d: _, ...open } = edKey;

describe('an unsuitable signing key', () => {
  it.each<[string, unknown, string]>([
    ['that is missing', undefined, ''],
    ['that is public', open, '/d'],
    ['without a kid', { ...edKey, kid: undefined }, '/kid'],
    ['of RSA', { kid: 'rsa', kty: 'RSA' }, '/kty'],
    ['for encryption', { ...edKey, use: 'enc' }, '/use'],
    ['that may only verify', { ...edKey, key_ops: ['verify'] }, '/key_ops'],
    ['of another algorithm', { ...ecKey, alg: 'ES384' }, '/alg'],
    ['off its curve', { ...ecKey, y: ecKey.x }, ''],
    ['of two pairs', { ...edKey, d: otherKey.d }, '/d'],
    ['of two pairs of P-256', { ...ecKey, d: otherKey.d }, '/d'],
  ])('%s is rejected without being quoted', async (_, key, path) => {
    const error: unknown = await signed({ key }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'definition_invalid',
      details: { definition: 'signing key', issues: [{ path }] },
    });
    expect(JSON.stringify([error, String(error)])).not.toContain(edKey.d);
    expect(error).not.toHaveProperty('cause');
  });
});

it.each<[string, object, string]>([
  ['of an approver without a name', { approver: '' }, '/sub'],
  ['of an unknown tier', { claims: { ...asked, tier: 'write' } }, '/tier'],
  ['with a digest of another form', { claims: { ...asked, action_digest: 'sha256:1' } }, '/action_digest'],
  ['without an end', { expiresAt: Infinity }, '/exp'],
  ['with an end that is no number', { expiresAt: Number.NaN }, '/exp'],
  ['with an end before its beginning', { notBefore: now + 600_000 }, '/exp'],
  ['of more than 30 days', { expiresAt: now + 30 * 86_400_000 + 1_000 }, '/exp'],
  ['of another decision', { decision: 'maybe' }, '/decision'],
])('signApproval rejects an approval %s, and the error names the path', async (_, changed, path) => {
  await expect(signed(changed)).rejects.toMatchObject({
    code: 'document_invalid',
    details: { document: 'approval', issues: [{ path }] },
  });
});
