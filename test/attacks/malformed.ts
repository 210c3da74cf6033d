import { inspect } from 'node:util';
import * as fc from 'fast-check';
import { mutated } from '../schema/mutation.ts';
import { share } from '../share.ts';

/** How often each parser is tried: FC_RUNS alone decides, or a share that takes no time. */
export const runsOf = (least: number): number =>
  Number(process.env['FC_RUNS'] ?? share(least, Math.ceil(least / 4)));

const nested = (levels: number): unknown => {
  let value: unknown = [];
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? { a: value } : [value];
  return value;
};

const ofClass = class {
  readonly checks = [];
};

/** Values that no JSON text yields, or only a hostile one; each is made anew. */
const makers: readonly (() => unknown)[] = [
  () => undefined,
  () => Symbol('s'),
  () => 1n,
  () => Number.NaN,
  () => 2 ** 60,
  () => -0,
  () => new Date(Number.NaN),
  () => new Map([['a', 1]]),
  () => new ofClass(),
  () => () => 'called',
  () => new Proxy({}, { get: () => 'anything', ownKeys: () => ['a', 'a'] }),
  () => Proxy.revocable({}, {}).proxy,
  () =>
    Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw new Error('read');
      },
    }),
  () => JSON.parse('{"__proto__":{"isAdmin":true}}') as unknown,
  () => JSON.parse('{"constructor":{"prototype":{"isAdmin":true}}}') as unknown,
  () => ({ toJSON: () => ({ a: 1 }) }),
  () => Object.create(null) as unknown,
  () => Object.assign([1, 2], { length: 5 }),
  () => Array.from({ length: 2_000 }, () => null),
  () => Object.fromEntries(Array.from({ length: 500 }, (_, key) => [`k${key}`, key])),
  () => '\ud800',
  () => 'a\u0000\u001b[2K\u202e',
  () => 'x'.repeat(5_000),
  () => nested(20),
];

/** Too deep for a store that writes JSON: what only parses has to bear it. */
const depths: readonly (() => unknown)[] = [() => nested(100), () => nested(5_000)];

const made = (from: readonly (() => unknown)[]): fc.Arbitrary<unknown> =>
  fc.constantFrom(...from).map((make) => make());

/** A document in which one member, there or not, has become something else. */
const planted = (documents: fc.Arbitrary<unknown>, from: readonly (() => unknown)[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(documents, fc.nat(30), fc.constantFrom('', 'state', 'constructor', 'then'), made(from))
    .map(([document, at, name, value]) => {
      if (typeof document !== 'object' || document === null) return value;
      const keys = [...Object.keys(document), ...(name === '' ? [] : [name])];
      const key = keys[at % Math.max(1, keys.length)];
      return key === undefined ? value : { ...document, [key]: value };
    });

/** A value that is shown without being read, whatever it is: fast-check itself would trip over some. */
export class OpaqueValue {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  [fc.toStringMethod](): string {
    return inspect(this.value, { depth: 8, maxStringLength: 200 });
  }
}

/** Documents that fit, that almost fit, and that nobody would call documents. */
export const malformed = (seeds: fc.Arbitrary<unknown>, { deep = true } = {}): fc.Arbitrary<unknown> => {
  const hostile = deep ? [...makers, ...depths] : makers;
  return fc.oneof(
    { weight: 2, arbitrary: seeds },
    { weight: 4, arbitrary: mutated(seeds) },
    { weight: 2, arbitrary: mutated(mutated(seeds)) },
    { weight: 4, arbitrary: planted(seeds, hostile) },
    { weight: 1, arbitrary: made(hostile) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  );
};

const fragments = [
  '"',
  '\\',
  '\\ud800',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '-',
  '0',
  'e9',
  '1e999',
  '\u0000',
  '\n',
].concat(['"__proto__":1,', '"seq":0,', '9007199254740993', '\ud800', '\ufeff', 'null']);

/** A text with a few cuts and insertions, or none, as text or as bytes, and bytes of no text at all. */
export const damaged = (texts: fc.Arbitrary<string>): fc.Arbitrary<string | Uint8Array> => {
  const change = fc.tuple(fc.nat(100_000), fc.nat(3), fc.constantFrom('', ...fragments));
  const cut = fc.tuple(texts, fc.array(change, { maxLength: 4 })).map(([text, changes]) =>
    changes.reduce((changed, [place, gone, inserted]) => {
      const at = place % (changed.length + 1);
      return changed.slice(0, at) + inserted + changed.slice(at + gone);
    }, text),
  );
  return fc.oneof(
    { weight: 6, arbitrary: cut },
    { weight: 2, arbitrary: cut.map((text) => new TextEncoder().encode(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  );
};
