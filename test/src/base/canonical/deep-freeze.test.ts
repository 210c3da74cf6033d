import { describe, expect, test } from 'vitest';
import { deepFreeze, ownCopy } from '../../../../src/base/canonical/deep-freeze.ts';
import { frozenCopy } from '../../../../src/base/canonical/freeze.ts';
import { jsonValue } from '../../../../src/base/canonical/json-value.ts';
import { isCharterError } from '../../../../src/base/errors.ts';

describe('deepFreeze', () => {
  test('freezes the content of an object that is frozen only shallowly', () => {
    const inner = { a: [1] };
    deepFreeze({ shallow: Object.freeze({ inner }) });
    expect([Object.isFrozen(inner), Object.isFrozen(inner.a)]).toEqual([true, true]);
  });

  test('leaves functions and class instances unfrozen', () => {
    const { signal } = new AbortController();
    const call = (): AbortSignal => signal;
    deepFreeze({ signal, call });
    expect([Object.isFrozen(signal), Object.isFrozen(call)]).toEqual([false, false]);
  });
});

describe('frozenCopy', () => {
  test('returns its own copy unchanged and copies an object frozen by other code', () => {
    const copy = frozenCopy({ a: { b: 1 } });
    expect(frozenCopy(copy)).toBe(copy);
    const theirs = Object.freeze({ a: { b: 1 } });
    expect(frozenCopy(theirs)).not.toBe(theirs);
  });

  test('reuses its own copy inside another value and counts its content against the limits', () => {
    const copy = frozenCopy({ a: ['long'] }) as object;
    expect((frozenCopy({ copy }) as { copy: object }).copy).toBe(copy);
    const bounds = { depth: 64, members: 100, text: 100 };
    for (const less of [{ depth: 2 }, { members: 2 }, { text: 8 }])
      expect(() => frozenCopy({ copy }, 'value', { ...bounds, ...less })).toThrow(/is not read/);
    expect(frozenCopy({ copy }, 'value', { depth: 3, members: 3, text: 9 })).toEqual({ copy });
  });
});

test('ownCopy returns a mutable copy and changes nothing else', () => {
  const value = deepFreeze({ a: [{ b: 1 }] });
  const copy = ownCopy(value);
  copy.a[0]!.b = 2;
  copy.a.push({ b: 3 });
  expect(value).toEqual({ a: [{ b: 1 }] });
});

test.each([
  ['a Date', new Date(0), 'z.iso.datetime() in place of z.date()'],
  ['a Map', new Map(), 'z.record()'],
  ['a Set', new Set(), 'z.array()'],
  ['binary data', new Uint8Array(2), 'base64'],
  ['of type bigint', 1n, 'a string of digits'],
  ['of type undefined', undefined, 'leave the member out'],
  ['NaN', Number.NaN, 'null'],
  ['of type function', () => 1, 'plain objects'],
  ['an instance of a class', new URL('https://a.test'), 'plain objects'],
])('jsonValue rejects a value that is %s, with the path and what to return', (is, given, remedy) => {
  try {
    jsonValue({ list: [given] }, 'what a schema returns');
    expect.unreachable();
  } catch (error) {
    if (!isCharterError(error, 'value_not_json')) throw error;
    expect(error.details).toEqual({ value: 'what a schema returns', path: '/list/0', reason: `it is ${is}` });
    expect(error.message).toContain(remedy);
    expect(error.cause).toBeDefined();
  }
});
