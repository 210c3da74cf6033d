import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../../../src/base/boundary/read-json.ts';
import { canonicalize } from '../../../../src/base/canonical/canonicalize.ts';
import { asJson, key, plainOf, refusalOf, runs } from '../canonical/generated.ts';

const read = (source: string | Uint8Array): unknown => readJson('message', source);
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const keyed = (count: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, index) => ({ a: index })));

/** A name, the bytes, the JSON Pointer of the fault, and words of the reason. */
const refused: readonly (readonly [string, string | Uint8Array, string, string])[] = [
  ['no bytes', bytes(), '', 'not JSON'],
  ['an empty text', '', '', 'not JSON'],
  ['a comment', '/**/1', '', 'not JSON'],
  ['a trailing comma', '[1,]', '', 'not JSON'],
  ['two values', '1 2', '', 'not JSON'],
  ['NaN', '[NaN]', '', 'not JSON'],
  ['a leading zero', '01', '', 'not JSON'],
  ['single quotes', "{'a':1}", '', 'not JSON'],
  ['a control character in a string', '"\u0001"', '', 'not JSON'],
  ['a byte order mark, in bytes', bytes(0xef, 0xbb, 0xbf, 0x31), '', 'not JSON'],
  ['a byte order mark, in a string', '\ufeff1', '', 'not JSON'],
  ['UTF-16', bytes(0x31, 0x00), '', 'not JSON'],
  ['a byte that is no UTF-8', bytes(0x22, 0xff, 0x22), '', 'not UTF-8'],
  ['an overlong form', bytes(0x22, 0xc0, 0xaf, 0x22), '', 'not UTF-8'],
  ['a surrogate in UTF-8', bytes(0x22, 0xed, 0xa0, 0x80, 0x22), '', 'not UTF-8'],
  ['a cut sequence', bytes(0x22, 0xe2, 0x82), '', 'not UTF-8'],
  ['too many bytes', `"${'a'.repeat(1_048_575)}"`, '', '1048577 bytes'],
  ['too many bytes in few characters', `"${'€'.repeat(349_525)}"`, '', '1048577 bytes'],
  ['too deep', nested(65), '/0'.repeat(64), 'too deeply'],
  ['far too deep', nested(500_000), '/0'.repeat(64), 'too deeply'],
  ['too many keys', keyed(10_001), '/10000/a', 'one key too many'],
  ['a key twice', '{"b":[0,{"a":1,"c":{},"a":1}]}', '/b/1/a', 'twice'],
  ['a key twice, once escaped', String.raw`{"a/b":1,"\u0061\/b":2}`, '/a~1b', 'twice'],
  ['the empty key twice', '{"":1,"":2}', '/', 'twice'],
  ['a key twice after a container', '{"a":[{}],"a":1}', '/a', 'twice'],
  ['a key twice that has a lone surrogate', String.raw`{"\ud800":1,"\ud800":2}`, '/\ufffd', 'twice'],
  ['__proto__', '{"a":{"__proto__":{"admin":true}}}', '/a', '__proto__'],
  ['__proto__, escaped', String.raw`{"\u005f_proto__":null}`, '', '__proto__'],
  ['a lone surrogate, escaped', String.raw`["\ud800"]`, '/0', 'surrogate'],
  ['a lone low surrogate, escaped', String.raw`["\udc00\ud800"]`, '/0', 'surrogate'],
  ['a lone surrogate in a string', '["\ud800"]', '/0', 'surrogate'],
  ['a lone surrogate in a key', String.raw`{"a":{"\udfff":1}}`, '/a', 'surrogate'],
  ['2^53', '9007199254740992', '', 'integer'],
  ['2^53 + 1', '{"a":[1,9007199254740993]}', '/a/1', 'integer'],
  ['-2^53', '[-9007199254740992]', '/0', 'integer'],
  ['20 digits', '{"id":12345678901234567890,"b":1}', '/id', 'integer'],
  ['30 digits', '100000000000000000000000000000', '', 'integer'],
  ['2^53 with an exponent', '9007199254740992e0', '', 'integer'],
  ['2e19, that is written back in digits', '2e19', '', 'integer'],
  ['1e400', '[[],1e400]', '/1', 'too large'],
  ['-1e400', '-1e400', '', 'too large'],
  ['400 digits', '9'.repeat(400), '', 'too large'],
];

test.each(refused)('readJson rejects %s', (_name, source, path, reason) => {
  const error = refusalOf(() => read(source));
  expect(error.details).toMatchObject({ document: 'message', path });
  expect(error.details.reason).toContain(reason);
  expect(error.message).toMatch(/^message .*; accepted: ./);
});

describe('readJson accepts', () => {
  test.each([
    ['the largest safe integers', '[9007199254740991,-9007199254740991]'],
    ['a large double', '[6.02e23,1e21,1.7976931348623157e308,-1e300]'],
    ['a fraction', '[0.1,-1.5e-7,5e-324,1e2,1E+2]'],
    ['white space', ' \t\r\n[ 1 , { "a" : 2 , "b" : [ ] } ] \n'],
    [
      'quotes, braces and commas inside strings',
      String.raw`{"a\"{,":"\\","b[":"\\\",}","c:":["]",",","\u0022:"]}`,
    ],
    ['one key in several objects', '{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":"a"}}'],
    ['a string that equals a key', '{"a":"a","b":["a","a"]}'],
    ['keys that Object.prototype has', '{"constructor":1,"prototype":2,"toString":3,"hasOwnProperty":4}'],
    ['a pair of surrogates', String.raw`["\ud83d\ude00😀"]`],
    ['noncharacters and U+2028', '["\u2028\uffff\u0000"]'.replace('\u0000', String.raw`\u0000`)],
    ['a depth of 64', nested(64)],
    ['10,000 keys', keyed(10_000)],
    ['1 MiB', `"${'a'.repeat(1_048_574)}"`],
  ])('%s', (_name, text) => {
    expect(read(text)).toEqual(JSON.parse(text));
    expect(read(new TextEncoder().encode(text))).toEqual(JSON.parse(text));
  });

  test.each([['null'], ['true'], ['""'], ['0'], ['-0']])('the scalar %s', (text) => {
    expect(read(text)).toBe(text === '-0' ? 0 : JSON.parse(text));
  });
});

test('readJson freezes the whole value', () => {
  const value = read('{"a":[{"b":1}]}') as { a: { b: number }[] };
  expect(Object.isFrozen(value) && Object.isFrozen(value.a) && Object.isFrozen(value.a[0])).toBe(true);
});

test('readJson accepts each limit separately', () => {
  expect(readJson('message', nested(65), { depth: 65 })).toEqual(JSON.parse(nested(65)));
  expect(refusalOf(() => readJson('message', '[]', { bytes: 1 })).message).toContain('accepted: 1 bytes');
  expect(refusalOf(() => readJson('message', '{"a":{"b":1}}', { keys: 1 })).details.path).toBe('/a/b');
  expect(refusalOf(() => readJson('message', '[]', { depth: 0 })).details.path).toBe('');
});

test('readJson quotes only keys of the document, on one line', () => {
  const error = refusalOf(() => read('{"secret-token" 1}'));
  expect(error.message).not.toContain('secret');
  expect(error.cause).toBeUndefined();
  expect(refusalOf(() => read(String.raw`{"\nadmin: ok":1e400}`)).message).not.toContain('\n');
});

const escaped = (name: string): string =>
  name.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe('any JSON', () => {
  const readable = fc
    .oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger())
    .filter((number) => Number.isSafeInteger(number) || !/^-?\d+$/.test(String(number)));

  test('is read as JSON.parse reads it and survives a round trip', () => {
    fc.assert(
      fc.property(plainOf(readable), fc.nat(2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const result = read(text);
        expect(result).toEqual(asJson(value));
        expect(read(canonicalize(result))).toEqual(result);
      }),
      runs(500),
    );
  });

  type Tree = number | string | Tree[] | { readonly members: readonly (readonly [string, Tree])[] };

  const tree = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(fc.nat(), fc.constantFrom('', 'a', '"', ',{', '\\')),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.record({
        members: fc.array(fc.tuple(fc.oneof(fc.constantFrom('a', '"', '\\'), key), tie('tree')), {
          maxLength: 4,
        }),
      }),
    ),
  })).tree;

  /** Writes a tree as JSON; every second occurrence of a key is escaped. */
  const write = (value: Tree): string => {
    if (typeof value !== 'object') return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(write).join(' , ')}]`;
    const members = value.members.map(
      ([name, member], index) =>
        `${index % 2 === 0 ? JSON.stringify(name) : `"${escaped(name)}"`} : ${write(member)}`,
    );
    return `{${members.join(',')}}`;
  };

  /** Returns the first repeated key of a tree, in document order. */
  const firstRepetition = (value: Tree, path = ''): string | undefined => {
    if (typeof value !== 'object') return undefined;
    const seen = new Set<string>();
    const members = Array.isArray(value)
      ? value.map((member, index) => [String(index), member] as const)
      : value.members;
    for (const [name, member] of members) {
      const pointer = `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (seen.has(name)) return pointer;
      seen.add(name);
      const inside = firstRepetition(member, pointer);
      if (inside !== undefined) return inside;
    }
    return undefined;
  };

  test('is rejected exactly when a key occurs twice', () => {
    const outcomes = { read: 0, refused: 0 };
    fc.assert(
      fc.property(tree, (value) => {
        const text = write(value);
        const repetition = firstRepetition(value);
        outcomes[repetition === undefined ? 'read' : 'refused'] += 1;
        if (repetition === undefined) expect(read(text)).toEqual(JSON.parse(text));
        else
          expect(refusalOf(() => read(text)).details).toMatchObject({
            path: repetition,
            reason: 'the key occurs twice',
          });
      }),
      runs(1_000),
    );
    expect(Math.min(outcomes.read, outcomes.refused)).toBeGreaterThan(50);
  });
});
