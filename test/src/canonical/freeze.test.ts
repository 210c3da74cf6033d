import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalize } from '../../../src/canonical/canonicalize.ts';
import { frozenCopy } from '../../../src/canonical/freeze.ts';
import { asJson, plainOf, refusalOf, runs } from './generated.ts';
import { refused } from './refused.ts';

const containersOf = (value: unknown): object[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(containersOf)] : [];

test.each(refused)('refuses %s', (_name, value, path) => {
  expect(refusalOf(() => frozenCopy(value, 'action')).details).toMatchObject({ document: 'action', path });
});

test('a later change of the original does not show', () => {
  const original = { tool: 'mail.send', to: ['a@example.org'] };
  const copy = frozenCopy(original);
  original.to.push('b@example.org');
  expect(copy).toEqual({ tool: 'mail.send', to: ['a@example.org'] });
});

test('keys keep their order, and -0 is 0, as it is hashed', () => {
  const copy = frozenCopy({ b: -0, a: 1 }) as Record<string, unknown>;
  expect(Object.keys(copy)).toEqual(['b', 'a']);
  expect(copy['b']).toBe(0);
});

test('what JSON does not count as a member is not copied', () => {
  const value = Object.defineProperty({ a: 1, [Symbol('s')]: 2 }, 'hidden', { value: 3, enumerable: false });
  expect(Reflect.ownKeys(frozenCopy(value) as object)).toEqual(['a']);
});

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

test.each<[string, unknown, unknown]>([
  ['64 levels', nested(64), nested(200_000)],
  ['100,000 members', Array(100_000).fill(0), Array(100_001).fill(0)],
  ['a MiB of text', 'a'.repeat(1_048_576), ['a'.repeat(1_048_576), 'b']],
  ['a MiB of keys', { ['k'.repeat(1_048_576)]: 1 }, { ['k'.repeat(1_048_576)]: 1, l: 2 }],
])('takes %s, and no more', (_, most, more) => {
  expect(() => frozenCopy(most)).not.toThrow();
  expect(refusalOf(() => frozenCopy(more)).details.reason).toMatch(/too deeply|too many|too much/);
});

test.each([2 ** 53, -(2 ** 53), 1e20])(
  'refuses the integer %d, which not every reader holds exactly',
  (value) => {
    expect(refusalOf(() => frozenCopy({ amount: value })).details.path).toBe('/amount');
  },
);

test('takes what is written with an exponent: no reader takes it for an integer', () => {
  expect(frozenCopy([1e21, 2 ** 53 - 1, 0.5])).toEqual([1e21, 2 ** 53 - 1, 0.5]);
});

const isExact = (value: number): boolean => !Number.isInteger(value) || Number.isSafeInteger(value);
const exact = plainOf(fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isExact));

test('for any plain data: equal, frozen all the way down, nothing shared with the original, one canonical text', () => {
  fc.assert(
    fc.property(exact, (value) => {
      const copy = frozenCopy(value);
      expect(copy).toEqual(asJson(value));
      expect(canonicalize(copy)).toBe(canonicalize(value));
      const originals = new Set(containersOf(value));
      for (const container of containersOf(copy)) {
        expect(Object.isFrozen(container)).toBe(true);
        expect(originals.has(container)).toBe(false);
        expect([Object.prototype, Array.prototype]).toContain(Object.getPrototypeOf(container));
      }
    }),
    runs(),
  );
});
