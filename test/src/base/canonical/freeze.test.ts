import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalize } from '../../../../src/base/canonical/canonicalize.ts';
import { frozenCopy, recordBounds } from '../../../../src/base/canonical/freeze.ts';
import { asJson, plainOf, refusalOf, runs } from './generated.ts';
import { refused } from './refused.ts';

const containersOf = (value: unknown): object[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(containersOf)] : [];

test.each(refused)('frozenCopy rejects %s', (_name, value, path) => {
  expect(refusalOf(() => frozenCopy(value, 'action')).details).toMatchObject({ document: 'action', path });
});

test('frozenCopy is independent of later changes to the original', () => {
  const original = { tool: 'mail.send', to: ['a@example.org'] };
  const copy = frozenCopy(original);
  original.to.push('b@example.org');
  expect(copy).toEqual({ tool: 'mail.send', to: ['a@example.org'] });
});

test('frozenCopy keeps the order of keys and turns -0 into 0, as in the hash', () => {
  const copy = frozenCopy({ b: -0, a: 1 }) as Record<string, unknown>;
  expect(Object.keys(copy)).toEqual(['b', 'a']);
  expect(copy['b']).toBe(0);
});

test('frozenCopy copies no symbol or non-enumerable member', () => {
  const value = Object.defineProperty({ a: 1, [Symbol('s')]: 2 }, 'hidden', { value: 3, enumerable: false });
  expect(Reflect.ownKeys(frozenCopy(value) as object)).toEqual(['a']);
});

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
};

const keyed = (members: number): unknown =>
  Object.fromEntries(Array.from({ length: members }, (_, index) => [index, 0]));

const longest = 'a'.repeat(1_048_576);
const deep = ['it is nested too deeply', 'a depth of 64'] as const;
const many = ['it has too many members', '100000 in all'] as const;
const long = ['it holds too much text', '1048576 UTF-16 code units in all'] as const;

test.each<[string, unknown, unknown, string, readonly [string, string]]>([
  ['64 levels', nested(64), nested(65), '/0'.repeat(64), deep],
  ['64 of 200,000 levels', nested(64), nested(200_000), '/0'.repeat(64), deep],
  ['100,000 elements', Array(100_000).fill(0), Array(100_001).fill(0), '', many],
  ['100,000 keys', keyed(100_000), keyed(100_001), '', many],
  ['100,000 members of several', [keyed(99_998), {}], [keyed(99_998), { a: 0 }], '/1', many],
  ['a MiB of text', longest, [longest, 'b'], '/1', long],
  ['a MiB of keys', { [longest]: 1 }, { [longest]: 1, l: 2 }, '', long],
])('frozenCopy accepts %s, and no more', (_, most, more, path, [reason, accepted]) => {
  expect(frozenCopy(most)).toEqual(most);
  const error = refusalOf(() => frozenCopy(more));
  expect(error.details).toEqual({ document: 'value', path, reason });
  expect(error.message).toContain(`${reason}; accepted: ${accepted}`);
});

// Sixteen documents of one MiB each, and their container.
test.each<[string, unknown, unknown, string]>([
  ['96 levels', nested(96), nested(97), 'it is nested too deeply'],
  ['1,600,000 members', Array(1_600_000).fill(0), Array(1_600_001).fill(0), 'it has too many members'],
  ['16 MiB of text', Array(16).fill(longest), [longest.repeat(16), 'b'], 'it holds too much text'],
])('frozenCopy accepts a record of %s, and no more', (_, most, more, reason) => {
  expect(() => frozenCopy(most, 'record', recordBounds)).not.toThrow();
  expect(refusalOf(() => frozenCopy(more, 'record', recordBounds)).details.reason).toBe(reason);
});

test.each([2 ** 53, -(2 ** 53), 1e20])(
  'frozenCopy rejects the integer %d, which not every parser represents exactly',
  (value) => {
    expect(refusalOf(() => frozenCopy({ amount: value })).message).toBe(
      'value at "/amount" is not read: it is an integer that not every reader holds exactly; ' +
        'accepted: up to 2^53-1, or a string',
    );
  },
);

test('frozenCopy accepts large numbers that are written with an exponent', () => {
  expect(frozenCopy([1e21, 2 ** 53 - 1, 0.5])).toEqual([1e21, 2 ** 53 - 1, 0.5]);
});

const isExact = (value: number): boolean => !Number.isInteger(value) || Number.isSafeInteger(value);
const exact = plainOf(fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isExact));

test('frozenCopy of random data is equal, deeply frozen, unshared and has the same canonical text', () => {
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
