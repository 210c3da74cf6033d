import { describe, expect, test } from 'vitest';
import { DateTime, Identifier, JsonObject, JsonPointer, JsonValue, Uuid } from '../../schema/index.ts';

describe('Uuid', () => {
  test.each([
    '00000000-0000-0000-0000-000000000000',
    'a3bb189e-8bf9-3888-9912-ace4e6543002',
    'A3BB189E-8BF9-3888-9912-ACE4E6543002',
    '0197f2b4-6c1e-7e3a-9f00-5b6a7c8d9e0f',
  ])('accepts %s of any version', (id) => {
    expect(Uuid.safeParse(id).success).toBe(true);
  });

  test.each([
    '',
    'a3bb189e8bf938889912ace4e6543002',
    '{a3bb189e-8bf9-3888-9912-ace4e6543002}',
    'urn:uuid:a3bb189e-8bf9-3888-9912-ace4e6543002',
    'a3bb189e-8bf9-3888-9912-ace4e654300g',
  ])('refuses %j', (id) => {
    expect(Uuid.safeParse(id).success).toBe(false);
  });
});

describe('DateTime', () => {
  test.each([
    '2026-11-21T04:58:37Z',
    '2026-11-21T04:58:37.123456789+05:30',
    '2024-02-29T23:59:59-00:00',
    '0000-02-29T00:00:00Z',
  ])('accepts %s', (instant) => {
    expect(DateTime.safeParse(instant).success).toBe(true);
  });

  test.each([
    ['a leap second', '2026-12-31T23:59:60Z'],
    ['a lower-case t', '2026-11-21t04:58:37Z'],
    ['a lower-case z', '2026-11-21T04:58:37z'],
    ['a space', '2026-11-21 04:58:37Z'],
    ['an offset without colon', '2026-11-21T04:58:37+0530'],
    ['no offset', '2026-11-21T04:58:37'],
    ['no seconds', '2026-11-21T04:58Z'],
    ['no time', '2026-11-21'],
    ['hour 24', '2026-11-21T24:00:00Z'],
    ['a day that does not exist', '2026-02-30T00:00:00Z'],
    ['an ordinal date', '2026-325T04:58:37Z'],
  ])('refuses %s', (_, instant) => {
    expect(DateTime.safeParse(instant).success).toBe(false);
  });
});

describe('Identifier', () => {
  test.each(['a', 'call-1', 'Ada Lovelace', '~'.repeat(128)])('accepts %s', (name) => {
    expect(Identifier.safeParse(name).success).toBe(true);
  });

  test.each(['', 'a'.repeat(129), 'a\nb', 'caf\u00e9', '\u001b[31m', '\u007f'])('refuses %j', (name) => {
    expect(Identifier.safeParse(name).success).toBe(false);
  });
});

describe('JsonPointer', () => {
  test.each(['', '/', '/payload/candidates/0', '/a~1b/~0'])('accepts %j', (pointer) => {
    expect(JsonPointer.safeParse(pointer).success).toBe(true);
  });

  test.each(['payload', '#/payload', '/a~2', '/~'])('refuses %j', (pointer) => {
    expect(JsonPointer.safeParse(pointer).error?.issues).toMatchObject([
      { message: 'must be a JSON Pointer: "", or one that begins with /, such as /order/id' },
    ]);
  });
});

describe('JsonValue', () => {
  test.each([{ a: 1 }, [], '', 0, false, null])('accepts %j', (value) => {
    expect(JsonValue.parse(value)).toStrictEqual(value);
  });

  test.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, new Date(0), new Map(), Symbol('s')])(
    'refuses values that JSON cannot write: %s',
    (value) => {
      expect(JsonValue.safeParse(value).success).toBe(false);
    },
  );

  test('keeps nested values unchanged at any depth', () => {
    let deep: JsonValue = {};
    for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];
    expect(JsonValue.safeParse(deep).success).toBe(true);
  });

  test('is no JsonObject as an array, null or a Date', () => {
    for (const value of [[], null, new Date(0)]) expect(JsonObject.safeParse(value).success).toBe(false);
  });
});
