import { describe, expect, test } from 'vitest';
import { withinTime } from '../../../../src/base/boundary/within-time.ts';
import { patience } from '../../../waits.ts';

const refusal = (cause: unknown): Error => new Error('refused', { cause });
const unused = (): Error => {
  throw new Error('is not asked');
};
const forEver = (): boolean => /^[a-z]*[a-z]*[a-z]*[a-z]*1$/.test('a'.repeat(100_000));
const stubborn = (): string => {
  try {
    return String(forEver());
  } catch {
    return 'went on';
  }
};

describe('A function that ends in time', () => {
  test('returns its result', () => {
    const value = { a: 1 };
    expect(withinTime(patience, () => value, unused)).toBe(value);
  });

  test('may have a fractional limit, which is rounded up', () => {
    for (const milliseconds of [patience + 0.25, patience + 0.5])
      expect(withinTime(milliseconds, () => 1, unused)).toBe(1);
  });

  test.each([[new RangeError('of its own')], ['no error'], [null]])('throws %j unchanged', (thrown) => {
    const caught: unknown[] = [];
    try {
      withinTime(
        patience,
        () => {
          throw thrown;
        },
        unused,
      );
    } catch (cause) {
      caught.push(cause);
    }
    expect(caught).toEqual([thrown]);
    expect(caught[0]).toBe(thrown);
  });

  test('keeps the stack of its error', () => {
    const thrown = new Error('of its own');
    const { stack } = thrown;
    expect(() =>
      withinTime(
        patience,
        () => {
          throw thrown;
        },
        unused,
      ),
    ).toThrow(thrown);
    expect(thrown.stack).toBe(stack);
  });
});

describe('A function that takes too long', () => {
  test('is stopped inside a regular expression and throws the caller’s error', () => {
    expect(() => withinTime(20, forEver, refusal)).toThrow(
      expect.objectContaining({
        message: 'refused',
        cause: expect.objectContaining({ code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' }) as unknown,
      }),
    );
  });

  test('cannot catch the stop', () => {
    expect(() => withinTime(20, stubborn, refusal)).toThrow('refused');
  });
});
