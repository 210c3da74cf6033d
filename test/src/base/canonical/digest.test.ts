import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalize } from '../../../../src/base/canonical/canonicalize.ts';
import { digest, isDigest } from '../../../../src/base/canonical/digest.ts';
import { plain, refusalOf, runs } from './generated.ts';

/** The output of `sha256sum` for the canonical text. */
const known: readonly (readonly [string, unknown, string])[] = [
  ['{}', {}, '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'],
  ['[]', [], '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945'],
  ['null', null, '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b'],
  ['an empty string', '', '12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126'],
  ['abc', 'abc', '6cc43f858fbb763301637b5af970e2a46b46f461f27e5a0f41e009c59b827b25'],
  [
    'an object',
    { b: [true, null], a: 1 },
    '1cc69c7fa23616ca2ec3ee70d24390a6225c8832db8a4c814c7e0e7f942f8668',
  ],
  ['not ASCII', { '€': '😀' }, 'd6921b1d63c147cc81722cd7fc6b3eb51e1c2251e84990d88e4235a2d09ea021'],
  ['a million letters', 'a'.repeat(1e6), '6baf4c35957b6d7bc3a54bde0e79851f81cab67232eee2b4b75be96fb2f5ccf4'],
  [
    'the example of RFC 8785',
    {
      numbers: [333333333.3333333, 1e30, 4.5, 2e-3, 1e-27],
      string: '€$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    },
    '2d5e01a318d0f0879ab568c4be289c8b1f64ef8921a53c6277d5e069978baacb',
  ],
];

test.each(known)('digest returns the published hash of %s', (_name, value, hex) => {
  expect(digest(value)).toBe(`sha256:${hex}`);
});

test('digest rejects a value without canonical text', () => {
  expect(refusalOf(() => digest({ a: undefined }, 'payload')).details).toMatchObject({
    document: 'payload',
    path: '/a',
  });
});

test('digest is equal exactly for equal canonical texts', () => {
  fc.assert(
    fc.property(plain, plain, (one, other) => {
      expect(isDigest(digest(one))).toBe(true);
      expect(digest(one) === digest(other)).toBe(canonicalize(one) === canonicalize(other));
    }),
    runs(),
  );
});

describe('isDigest', () => {
  const hex = 'ab'.repeat(32);
  test.each([`sha256:${hex}`, `sha256:${'0'.repeat(64)}`])('accepts %s', (text) => {
    expect(isDigest(text)).toBe(true);
  });
  test.each([
    hex,
    `sha512:${hex}`,
    `SHA256:${hex}`,
    `sha256:${hex.toUpperCase()}`,
    `sha256:${hex.slice(1)}`,
    `sha256:${hex}0`,
    `sha256:${hex}\n`,
    ` sha256:${hex}`,
    `sha256:${hex.slice(1)}g`,
    '',
    null,
    undefined,
    [`sha256:${hex}`],
    { toString: () => `sha256:${hex}` },
  ])('rejects %s', (value) => {
    expect(isDigest(value)).toBe(false);
  });
});
