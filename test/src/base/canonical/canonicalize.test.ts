import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalize, textOfFixed } from '../../../../src/base/canonical/canonicalize.ts';
import { deepFreeze } from '../../../../src/base/canonical/deep-freeze.ts';
import { asJson, plain, refusalOf, runs } from './generated.ts';
import { refused } from './refused.ts';

/** RFC 8785 appendix B: the bits of a double, and its text. */
const numbers: readonly (readonly [string, string])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

const double = (bits: string): number => Buffer.from(bits, 'hex').readDoubleBE();

describe('RFC 8785', () => {
  test.each(numbers)('appendix B: %s is %s', (bits, written) => {
    expect(canonicalize(double(bits))).toBe(written);
  });

  test.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])('appendix B: %s throws', (bits) => {
    expect(refusalOf(() => canonicalize(double(bits))).details.path).toBe('');
  });

  test('3.2.2 and 3.2.4: the example is serialized byte for byte', () => {
    const example: unknown = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`);
    expect(Buffer.from(canonicalize(example)).toString('hex')).toBe(
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a' +
        '5b3333333333333333332e333333333333332c31652b33302c342e352c302e3030322c31652d3237' +
        '5d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d',
    );
  });

  test('3.2.3: keys are sorted by UTF-16 code units', () => {
    const example = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(canonicalize(example)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control","ö":"Latin Small Letter O With Diaeresis",' +
        '"€":"Euro Sign","😀":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    );
  });

  test('3.2.2.2: control characters have their short forms, else lower-case hex', () => {
    expect(canonicalize('\b\t\n\f\r\u0000\u001f\u007f\u2028</')).toBe(
      '"\\b\\t\\n\\f\\r\\u0000\\u001f\u007f\u2028</"',
    );
  });
});

test('canonicalize serializes empty containers, the empty key and integer-like keys', () => {
  expect(canonicalize({ 10: [], 9: {}, '': [[], {}], a: '' })).toBe('{"":[[],{}],"10":[],"9":{},"a":""}');
});

test('canonicalize accepts the same object twice, which is no cycle', () => {
  const shared = { a: 1 };
  expect(canonicalize([shared, { shared }, shared])).toBe('[{"a":1},{"shared":{"a":1}},{"a":1}]');
});

test('canonicalize accepts an object without a prototype', () => {
  expect(canonicalize(Object.assign(Object.create(null), { b: 1, a: 2 }))).toBe('{"a":2,"b":1}');
});

test('canonicalize handles a depth of 200,000 without a call stack overflow, also in its error path', () => {
  const depth = 200_000;
  const nested = (innermost: unknown): unknown => {
    let value = innermost;
    for (let level = 0; level < depth; level += 2) value = { a: [value] };
    return value;
  };
  expect(canonicalize(nested(1))).toBe(`${'{"a":['.repeat(depth / 2)}1${']}'.repeat(depth / 2)}`);
  const error = refusalOf(() => canonicalize(nested(Number.NaN)));
  expect(error.details.path).toBe('/a/0'.repeat(depth / 2));
  expect(error.message.length).toBeLessThan(300);
});

test.each(refused)('canonicalize rejects %s', (_name, value, path) => {
  const error = refusalOf(() => canonicalize(value, 'action'));
  expect(error.details).toMatchObject({ document: 'action', path });
  expect(error.message).toContain(error.details.reason);
  expect(error.message).toMatch(/^action .*; accepted: ./);
});

test('canonicalize does not call a getter and says that it is one', () => {
  let calls = 0;
  const value = {
    get a() {
      calls += 1;
      return calls;
    },
  };
  expect(refusalOf(() => canonicalize(value)).details.reason).toBe('it is computed by a getter');
  expect(calls).toBe(0);
});

const units = (key: string): Buffer => Buffer.from(key, 'utf16le').swap16();

test.each([
  ['a function', { keys: () => [] }],
  ['a number', { keys: 5 }],
])('canonicalize reads an array by its indexes, also if it has %s called keys', (_, more) => {
  expect(canonicalize(Object.assign(['pay', 100], more))).toBe('["pay",100]');
});

describe('textOfFixed', () => {
  test('writes what canonicalize writes, for random plain data', () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(textOfFixed(deepFreeze(value), 'value')).toBe(canonicalize(value));
      }),
      runs(),
    );
  });

  test.each([
    ['\ud800'],
    [Number.NaN],
    [{ a: ['\udc00'] }],
    [{ '\ud800': 1 }],
    [new Date(0)],
    [{ a: undefined }],
  ])('refuses %j as canonicalize does', (value) => {
    const refused = refusalOf(() => canonicalize(value)).message;
    expect(refusalOf(() => textOfFixed(value, 'value')).message).toBe(refused);
  });
});

describe('canonicalize of random plain data', () => {
  test('is parsed back by JSON.parse', () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(JSON.parse(canonicalize(value))).toEqual(asJson(value));
      }),
      runs(),
    );
  });

  test('is stable: parsing and serializing again changes nothing', () => {
    fc.assert(
      fc.property(plain, (value) => {
        const text = canonicalize(value);
        expect(canonicalize(JSON.parse(text))).toBe(text);
      }),
      runs(),
    );
  });

  test('ignores the order of keys', () => {
    const reversed = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(reversed);
      return Object.fromEntries(
        Object.entries(value)
          .toReversed()
          .map(([key, member]) => [key, reversed(member)]),
      );
    };
    fc.assert(
      fc.property(plain, (value) => {
        expect(canonicalize(reversed(value))).toBe(canonicalize(value));
      }),
      runs(),
    );
  });

  test('sorts keys by code units', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary' })), (keys) => {
        const wanted = keys.filter((key) => key !== '__proto__');
        const text = canonicalize(Object.fromEntries(wanted.map((key) => [key, 0])));
        const written = [...text.matchAll(/("(?:[^"\\]|\\.)*"):0/gu)].map(
          ([, key]) => JSON.parse(key!) as string,
        );
        expect(written).toEqual(wanted.toSorted((one, other) => Buffer.compare(units(one), units(other))));
      }),
      runs(),
    );
  });
});
