import { describe, expect, it } from 'vitest';
import { kept, notKeptKey } from '../../../../src/base/canonical/kept.ts';

class Receipt {
  serial = 7;
  readonly #secret = 1;
  get total(): number {
    return this.#secret;
  }
}
const circle: { self?: unknown } = {};
circle.self = circle;
const deep = Array.from({ length: 80 }).reduce<object>((inner) => ({ inner }), {});

const throws = (): never => {
  throw new Error('no');
};

describe('what a function returned', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, null],
    ['a date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['an address', { url: new URL('https://shop.example/o/7') }, { url: 'https://shop.example/o/7' }],
    ['bytes of Node.js', Buffer.from([1]), { type: 'Buffer', data: [1] }],
    ['an instance of a class', new Receipt(), { serial: 7 }],
    ['members that JSON leaves out', { a: undefined, b: () => 1, c: [undefined, 2] }, { c: [null, 2] }],
    ['holes of a list', { a: Object.assign([1], { 2: 3 }), b: () => 1 }, { a: [1, null, 3] }],
    ['what is boxed', [Object(1), Object('a'), Object(false)], [1, 'a', false]],
    ['what is shared and no circle', [circle.constructor, { a: 1 }], [null, { a: 1 }]],
  ])('keeps %s as JSON does', (_, given, value) => {
    expect(kept(given, 'x')).toEqual({ value, lost: [] });
  });

  it.each<[string, unknown, RegExp]>([
    ['a map', new Map([['a', 1]]), /a Map/],
    ['an error', new Error('no'), /an Error/],
    ['a circle', circle, /circular/],
    ['a bigint', 2n ** 70n, /bigint 1180591620717411303424/],
    ['no number', Number.NaN, /NaN/],
    ['an integer that is not exact', 2 ** 60, /integer/],
    ['a long text', 'x'.repeat(2_000_000), /2000000/],
    ['many levels', deep, /nested/],
    ['a getter that throws', Object.defineProperty({}, 'a', { enumerable: true, get: throws }), /threw/],
    ['a proxy that throws', new Proxy({}, { ownKeys: throws }), /threw/],
  ])('marks %s in its place, and keeps the rest', (_, held, words) => {
    const { value, lost } = kept({ serial: 7, held }, 'x');
    expect(value).toMatchObject({ serial: 7 });
    expect(JSON.stringify(value)).toMatch(words);
    expect(JSON.stringify(value)).toContain(notKeptKey);
    expect(lost).toEqual([{ at: expect.stringMatching(/^\/held/), what: expect.stringMatching(words) }]);
  });

  it('keeps a text with half a surrogate pair, with U+FFFD in its place', () => {
    expect(kept({ text: 'a\ud83d', at: new Date(0) }, 'x')).toEqual({
      value: { text: 'a\ufffd', at: '1970-01-01T00:00:00.000Z' },
      lost: [],
    });
  });

  it('leaves out a name that no record has, and says so', () => {
    expect(kept(JSON.parse('{"a": 1, "__proto__": 2}'), 'x')).toEqual({
      value: { a: 1 },
      lost: [{ at: '/__proto__', what: 'a member of this name' }],
    });
  });

  it('is marked as a whole if what is shared makes it too large, however often it is shared', () => {
    const shared = Array.from({ length: 60 }).reduce<object>((one) => ({ left: one, right: one }), new Map());
    const rows = Array.from({ length: 200_000 }, () => new Map());
    for (const given of [shared, rows, Object.assign([1n], { length: 1e9 })])
      expect(kept(given, 'x')).toMatchObject({
        value: { [notKeptKey]: 'too large to be kept: it has more than 100000 members' },
        lost: [{ at: '' }],
      });
  });

  it('is marked as a whole if it is too large in all', () => {
    const { value, lost } = kept(
      Array.from({ length: 20 }, () => 'x'.repeat(100_000)),
      'x',
    );
    expect(value).toEqual({ [notKeptKey]: expect.stringMatching(/text/) });
    expect(lost).toHaveLength(1);
  });
});
