import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { readJson, readValue, readWired } from '../../../../src/base/boundary/read-json.ts';
import { isCharterError } from '../../../../src/base/errors.ts';
import { plain, runs } from '../canonical/generated.ts';

const nested = (levels: number): unknown => {
  let value: unknown = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
};
const ring: unknown[] = [];
ring.push(ring);

describe.each([
  ['readValue', readValue],
  ['readWired', readWired],
])('%s', (_, read) => {
  it.each([65, 5_000, 200_000])('rejects %i levels as unreadable', (levels) => {
    expect(() => read('message', nested(levels))).toThrow(
      expect.objectContaining({ code: 'input_unreadable', message: expect.stringMatching(/^message .*64$/) }),
    );
  });

  it('rejects a cycle as unreadable', () => {
    expect(() => read('message', ring)).toThrow(expect.objectContaining({ code: 'input_unreadable' }));
  });

  it('accepts 64 levels', () => {
    expect(read('message', nested(64))).toEqual(nested(64));
  });
});

/** Returns what reading returns, or the code of its error: some numbers are refused. */
const outcomeOf = (read: () => unknown): unknown => {
  try {
    return { value: read() };
  } catch (error) {
    return isCharterError(error) ? error.code : error;
  }
};

describe('readValue', () => {
  it('returns what reading its text returns, for random plain data', () => {
    fc.assert(
      fc.property(plain, (value) => {
        const text = JSON.stringify(value);
        expect(outcomeOf(() => readValue('value', value))).toEqual(outcomeOf(() => readJson('value', text)));
      }),
      runs(),
    );
  });

  it.each<[string, (size: number) => unknown, number, number]>([
    ['bytes of text', (size) => ['x'.repeat(size - 4)], 1_048_576, 1],
    ['bytes of escapes', (size) => ['\u0001'.repeat((size - 4) / 6)], 1_048_576, 6],
    ['keys', (size) => Object.fromEntries(Array.from({ length: size }, (_, at) => [`k${at}`, 0])), 10_000, 1],
  ])('accepts as many %s as readJson, and no more', (_, valueOf, most, step) => {
    expect(() => readValue('value', valueOf(most))).not.toThrow();
    expect(() => readValue('value', valueOf(most + step))).toThrow(
      expect.objectContaining({ code: 'input_unreadable' }),
    );
  });
});

it('readWired drops the values that JSON has no form for', () => {
  expect(readWired('message', { a: undefined, b: new Date(0) })).toEqual({ b: '1970-01-01T00:00:00.000Z' });
  expect(readWired('message', undefined)).toBeNull();
});
