import { describe, expect, test } from 'vitest';
import { canonicalize } from '../../../../src/base/canonical/canonicalize.ts';
import { frozenCopy } from '../../../../src/base/canonical/freeze.ts';
import { pointerTo, shownPointer, unreadable } from '../../../../src/base/canonical/unreadable.ts';
import { refusalOf } from './generated.ts';

const cycle: unknown[] = [];
cycle.push(cycle);

const plainOnly = 'plain objects and arrays';
const leaves = 'a string, number, boolean, null, array or object';

/** A name, the value, the path of the fault, the reason, and what is accepted. */
const cases: readonly (readonly [string, unknown, string, string, string])[] = [
  ['a key __proto__', JSON.parse('{"__proto__":1}'), '', 'a key is __proto__', 'any other key'],
  ['a key of half a character', { '\ud800': 1 }, '', 'a key has a lone surrogate', 'well-formed Unicode'],
  ['a text of half a character', ['\udc00'], '/0', 'it has a lone surrogate', 'well-formed Unicode'],
  ['a cycle', cycle, '/0', 'it contains itself', 'a tree'],
  ['a proxy', { a: new Proxy({}, {}) }, '/a', 'it is a proxy', plainOnly],
  ['a Date', { a: new Date(0) }, '/a', 'it is a Date', plainOnly],
  ['NaN', [Number.NaN], '/0', 'it is NaN', 'a finite number'],
  ['-Infinity', [-Infinity], '/0', 'it is -Infinity', 'a finite number'],
  ['undefined', { a: undefined }, '/a', 'it is of type undefined', leaves],
  ['a function', { a: () => 1 }, '/a', 'it is of type function', leaves],
  ['a bigint', { a: 1n }, '/a', 'it is of type bigint', leaves],
  ['a hole', Object.assign([], { length: 1 }), '/0', 'it is a hole in an array', 'a value at each index'],
  [
    'a getter',
    Object.defineProperty([], '0', { get: () => 1 }),
    '/0',
    'it is computed by a getter',
    'a value',
  ],
];

describe('The error for an unreadable value gives the document, the path, the reason and what is accepted', () => {
  test.each(cases)('for %s', (_name, value, path, reason, accepted) => {
    for (const read of [canonicalize, frozenCopy]) {
      const { details, message } = refusalOf(() => read(value, 'action'));
      expect(details).toEqual({ document: 'action', path, reason });
      const place = path === '' ? 'action' : `action at "${path}"`;
      expect(message).toBe(`${place} is not read: ${reason}; accepted: ${accepted}`);
    }
  });

  test('and calls a value without a name "value"', () => {
    expect(refusalOf(() => canonicalize(undefined)).message).toMatch(/^value is not read: /);
    expect(refusalOf(() => frozenCopy(undefined)).message).toMatch(/^value is not read: /);
  });
});

describe('A JSON Pointer in an error (RFC 6901)', () => {
  // RFC 6901, section 5, and keys that JSON text cannot hold.
  test.each<[string, readonly PropertyKey[], string]>([
    ['of the document is empty', [], ''],
    ['names a member', ['foo'], '/foo'],
    ['names an element', ['foo', 0], '/foo/0'],
    ['names the empty key', [''], '/'],
    ['escapes a slash', ['a/b'], '/a~1b'],
    ['escapes a tilde', ['m~n'], '/m~0n'],
    ['escapes a tilde before a slash', ['~1/~'], '/~01~1~0'],
    ['leaves the rest as it is', ['c%d', 'e^f', 'g|h', 'i\\j', 'k"l', ' '], '/c%d/e^f/g|h/i\\j/k"l/ '],
    ['shows a lone surrogate as U+FFFD', ['\ud800a\udc00', '😀'], '/\ufffda\ufffd/😀'],
    ['names a symbol', [Symbol('s')], '/Symbol(s)'],
  ])('%s', (_name, path, pointer) => {
    expect(pointerTo(path)).toBe(pointer);
  });

  test('is quoted on one line', () => {
    expect(shownPointer('/a\n"b')).toBe(String.raw`"/a\n\"b"`);
  });

  test('is shown whole up to 200 characters and truncated beyond', () => {
    const whole = `/${'k'.repeat(199)}`;
    expect(shownPointer(whole)).toBe(`"${whole}"`);
    expect(shownPointer(`${whole}l`)).toBe(`"${whole}…"`);
    expect(unreadable('x', ['k'.repeat(300)], 'r', 'a').message).toBe(
      `x at "${whole}…" is not read: r; accepted: a`,
    );
  });
});
