import { describe, expect, it } from 'vitest';
import { readValue, readWired } from '../../../src/boundary/read-json.ts';

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

it('readWired drops the values that JSON has no form for', () => {
  expect(readWired('message', { a: undefined, b: new Date(0) })).toEqual({ b: '1970-01-01T00:00:00.000Z' });
  expect(readWired('message', undefined)).toBeNull();
});
