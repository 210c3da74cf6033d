import * as fc from 'fast-check';
import { v5, v7, validate, version } from 'uuid';
import { describe, expect, it } from 'vitest';
import { createUuids, urlNames, uuidOfName } from '../../../src/canonical/uuid.ts';

describe('a UUID of version 7', () => {
  it('is the one that the package uuid makes of the same time, count and bytes', () => {
    const inputs = fc.tuple(fc.nat(2 ** 48 - 1), fc.uint8Array({ minLength: 16, maxLength: 16 }));
    fc.assert(
      fc.property(inputs, ([msecs, random]) => {
        const made = createUuids(
          () => msecs,
          () => Buffer.from(random),
        )();
        expect(made).toBe(v7({ msecs, random, seq: Buffer.from(random).readUInt32BE(11) >>> 1 }));
      }),
    );
  });

  it('is greater than every one before it, also while the clock stands still or is set back', () => {
    const hours = [5, 5, 5, 4, 0, 5, 6, 6, 1];
    const next = createUuids(() => hours.shift() ?? 6);
    const made = Array.from({ length: 1_000 }, next);
    expect(made.toSorted()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
    expect(made.filter((id) => !validate(id) || version(id) !== 7)).toEqual([]);
  });
});

describe('a UUID of version 5', () => {
  it('is the one that the package uuid makes of the same name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uuid(), (name, space) => {
        expect(uuidOfName(name, space)).toBe(v5(name, space));
      }),
    );
    expect(urlNames).toBe(v5.URL);
  });
});
