import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalize } from '../../../../../src/base/canonical/canonicalize.ts';
import { cedarValue } from '../../../../../src/gates/policies/cedar/value.ts';
import { plain, runs } from '../../../base/canonical/generated.ts';

const json = (id: string) => ({ __entity: { type: 'Json', id } });

describe('a JSON value in Cedar', () => {
  it.each<[string, unknown, unknown]>([
    ['a string', 'a', 'a'],
    ['a boolean', true, true],
    ['an integer', -5, -5],
    ['the largest integer', Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ['a fraction', 5.25, { __extn: { fn: 'decimal', arg: '5.25' } }],
    ['a fraction of five digits', 5.12345, json('5.12345')],
    ['a small fraction', 1e-7, json('1e-7')],
    ['an integer beyond 2^53', 2 ** 53, json('9007199254740992')],
    ['null', null, json('null')],
    ['an array', [1, null], [1, json('null')]],
    ['an object', { a: { b: 1 } }, { a: { b: 1 } }],
  ])('represents %s', (_, value, held) => {
    expect(cedarValue(value)).toEqual(held);
  });

  it.each(['__entity', '__extn', '__expr'])(
    'is never evaluated: an object with the key %s is text',
    (key) => {
      const forged = { to: { [key]: { type: 'Agent', id: 'root' }, more: 1 } };
      expect(cedarValue(forged)).toEqual({ to: json(canonicalize(forged.to)) });
    },
  );

  it('differs for different values, except in ways that a set ignores', () => {
    const withoutArrays = plain.filter((value) => !JSON.stringify(value).includes('['));
    fc.assert(
      fc.property(withoutArrays, withoutArrays, (one, other) => {
        const isSame = canonicalize(one) === canonicalize(other);
        expect(canonicalize(cedarValue(one)) === canonicalize(cedarValue(other))).toBe(isSame);
      }),
      runs(500),
    );
  });

  it.each([undefined, 1n, Symbol('s'), () => 1, Number.NaN, Infinity])('cannot represent %s', (value) => {
    expect(() => cedarValue({ value })).toThrow(expect.objectContaining({ code: 'input_unreadable' }));
  });
});
