import { describe, expect, it, vi } from 'vitest';
import {
  jwsApprovals,
  type ApprovalJwk,
  type ApprovalKeySet,
} from '../../../../src/gates/approvals/index.ts';
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
  now,
  openOf,
  options,
  otherKey,
  token,
  trustedKey,
  verdictOn,
} from './desk.ts';

const ed = openOf(edKey);
const ec = openOf(ecKey);
const setOf = (...keys: readonly object[]): ApprovalKeySet => ({
  keys: keys.map((key) => ({ subjects: 'any', ...key })) as readonly ApprovalJwk[],
});
const replaced = setOf({ ...openOf(otherKey), kid: 'ed-1' });

/** Keys that never verify, with the path of the fault. */
const unusable: readonly (readonly [string, object, string])[] = [
  ['of RSA', { kid: 'ed-1', kty: 'RSA', n: 'AQAB', e: 'AQAB' }, '/keys/keys/0/kty'],
  ['that is symmetric', { kid: 'ed-1', kty: 'oct', k: 'AAAA' }, '/keys/keys/0/kty'],
  ['that is private', edKey, '/keys/keys/0/d'],
  ['of P-256 that is private', { ...ecKey, kid: 'ed-1' }, '/keys/keys/0/d'],
  ['for encryption', { ...ed, use: 'enc' }, '/keys/keys/0/use'],
  ['that may not verify', { ...ed, key_ops: ['sign'] }, '/keys/keys/0/key_ops'],
  ['of another algorithm', { ...ed, alg: 'ES256' }, '/keys/keys/0/alg'],
  ['of another curve', { ...ed, crv: 'X25519' }, '/keys/keys/0/crv'],
  ['of P-256 for Ed25519', { ...ed, crv: 'P-256' }, '/keys/keys/0/crv'],
  ['of 31 bytes', { ...ed, x: edKey.x.slice(2) }, '/keys/keys/0/x'],
  ['in another spelling', { ...ed, x: `${edKey.x.slice(0, -1)}p` }, '/keys/keys/0/x'],
  ['off the curve', { ...ec, kid: 'ed-1', y: ec.x }, '/keys/keys/0'],
];

describe('a key', () => {
  it.each(unusable)('rejects %s in a static set', (_, key, path) => {
    expect(() => jwsApprovals({ ...options, keys: setOf(key) })).toThrow(
      expect.objectContaining({
        code: 'definition_invalid',
        details: { definition: 'approvals', issues: [expect.objectContaining({ path })] },
      }),
    );
  });

  it.each(unusable)('ignores %s in the result of a key function', async (_, key) => {
    expect(await codeOf(token(), { keys: () => setOf(key, openOf(otherKey)) })).toBe('APPROVAL_KEY_UNKNOWN');
  });

  it.each<[string, object]>([
    ['states its use', { ...ed, use: 'sig', key_ops: ['verify'], alg: 'EdDSA' }],
    ['has the fully specified name', { ...ed, alg: 'Ed25519' }],
    ['has members of other names', { ...ed, ext: true, x5t: 'AA', owner: 'desk' }],
  ])('verifies when it %s', async (_, key) => {
    expect(await verdictOn(token(), { keys: setOf(key) })).toEqual(granted);
    expect(await verdictOn(token(), { keys: () => setOf(key) })).toEqual(granted);
  });

  it('is unknown when another key has the same kid', async () => {
    const twice = setOf(ed, { ...openOf(otherKey), kid: 'ed-1' });
    expect(await codeOf(token(), { keys: () => twice })).toBe('APPROVAL_KEY_UNKNOWN');
    expect(() => jwsApprovals({ ...options, keys: twice })).toThrow(/each kid once/);
  });

  it('that is private is not quoted in the error', () => {
    expect(() => jwsApprovals({ ...options, keys: setOf(edKey) })).toThrow(
      expect.not.stringContaining(edKey.d),
    );
  });
});

describe('a key function', () => {
  it('is called at each verification, so that keys can rotate', async () => {
    let keys = setOf(ed);
    const { verify } = jwsApprovals({ ...options, keys: async () => keys });
    const codes = async () => {
      const sent = [token(), compact({ ...header, kid: 'ed-2' }, claims, by(otherKey))];
      const verdicts = await Promise.all(sent.map((one) => verify(one, asked, now)));
      return verdicts.map((verdict) => ('refused' in verdict ? verdict.refused : 'granted'));
    };
    expect(await codes()).toEqual(['granted', 'APPROVAL_KEY_UNKNOWN']);
    keys = setOf(ed, openOf(otherKey));
    expect(await codes()).toEqual(['granted', 'granted']);
    keys = setOf(openOf(otherKey));
    expect(await codes()).toEqual(['APPROVAL_KEY_UNKNOWN', 'granted']);
  });

  it('may replace or withdraw the key of a token that was verified before', async () => {
    let keys: ApprovalKeySet = setOf(ed);
    const { verify } = jwsApprovals({ ...options, keys: () => keys });
    const code = async () => {
      const verdict = await verify(token(), asked, now);
      return 'refused' in verdict ? verdict.refused : 'granted';
    };
    expect([await code(), await code()]).toEqual(['granted', 'granted']);
    keys = replaced;
    expect(await code()).toBe('APPROVAL_SIGNATURE_WRONG');
    keys = setOf(openOf(otherKey));
    expect(await code()).toBe('APPROVAL_KEY_UNKNOWN');
    keys = setOf(ed);
    expect(await code()).toBe('granted');
    keys = { keys: [{ ...ed, subjects: ['someone else'] }] };
    expect(await code()).toBe('APPROVAL_SUBJECT_MISMATCH');
  });

  it('may return another key under the same kid', async () => {
    expect(await codeOf(token(), { keys: () => replaced })).toBe('APPROVAL_SIGNATURE_WRONG');
  });

  const throwing = new Proxy({}, { has: () => expect.fail(), get: () => expect.fail() });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('offline');
      },
    ],
    ['rejects', () => Promise.reject(new Error('offline'))],
    ['yields nothing', () => undefined],
    ['yields no list', () => ({ keys: 'ed-1' })],
    ['yields an empty list', () => setOf()],
    ['returns no key set', () => ({ keys: [null, 'ed-1', 1, undefined] })],
    ['yields an object that throws', () => throwing],
    ['yields a key that throws', () => ({ keys: [throwing] })],
  ])('that %s yields no key', async (_, keys) => {
    expect(await codeOf(token(), { keys: keys as () => ApprovalKeySet })).toBe('APPROVAL_KEY_UNKNOWN');
  });
});

describe('the options of jwsApprovals', () => {
  it.each<[object, string]>([
    [{ issuer: '' }, '/issuer'],
    [{ audience: undefined }, '/audience'],
    [{ keys: setOf() }, '/keys/keys'],
    [{ leeway: -1 }, '/leeway'],
    [{ leeway: 60_001 }, '/leeway'],
    [{ leeway: Number.NaN }, '/leeway'],
    [{ clockTolerance: 5 }, '/clockTolerance'],
  ])('are rejected with the path: %j', (changed, path) => {
    expect(() => jwsApprovals({ ...options, ...changed })).toThrow(
      expect.objectContaining({
        code: 'definition_invalid',
        details: { definition: 'approvals', issues: [expect.objectContaining({ path })] },
      }),
    );
  });

  it('are copied with their keys', async () => {
    const keys = [trustedKey(edKey)];
    const { verify } = jwsApprovals({ ...options, keys: { keys } });
    keys[0] = { ...trustedKey(otherKey), kid: 'ed-1' };
    expect(await verify(token(), asked, now)).toEqual(granted);
  });
});

it('the first verification loads jose, and nothing earlier does', async () => {
  const load = vi.fn();
  vi.resetModules();
  vi.doMock('jose', (original) => {
    load();
    return original();
  });
  const { jwsApprovals } = await import('../../../../src/gates/approvals/index.ts');
  const { verify } = jwsApprovals(options);
  expect(load).not.toHaveBeenCalled();
  expect(await verify(token(), asked, now)).toEqual(granted);
  expect(load).toHaveBeenCalledOnce();
  vi.doUnmock('jose');
});
