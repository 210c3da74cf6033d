import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from '../../../../src/base/boundary/read-json.ts';
import { asJson, plain, refusalOf, runs } from '../canonical/generated.ts';

const prototypes = (): unknown =>
  [Object.prototype, Array.prototype].map((prototype) => Reflect.ownKeys(prototype));

const parsed = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

const fragments = [
  '"',
  '\\',
  '\\u',
  '\\ud800',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '-',
  '0',
  'e',
  '.',
  '1e999',
  '\u0000',
  ' ',
].concat([
  '"a":',
  '"__proto__":',
  '"constructor":{"prototype":{"x":1}},',
  '9007199254740993',
  '\ud800',
  '\ufeff',
  'null',
]);

/** A JSON text with random cuts and insertions. */
const damaged = fc
  .tuple(
    plain.map((value) => JSON.stringify(value)),
    fc.array(fc.tuple(fc.nat(400), fc.nat(3), fc.constantFrom('', ...fragments)), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([text, changes]) =>
    changes.reduce((changed, [place, cut, inserted]) => {
      const at = place % (changed.length + 1);
      return changed.slice(0, at) + inserted + changed.slice(at + cut);
    }, text),
  );

const source = fc.oneof(
  { weight: 6, arbitrary: damaged },
  { weight: 2, arbitrary: damaged.map((text) => new TextEncoder().encode(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom(...fragments), { maxLength: 12 }).map((parts) => parts.join('')),
  },
);

test('readJson throws only CharterError for malformed input and otherwise agrees with JSON.parse', () => {
  const before = prototypes();
  const seen = { inputs: 0, notJson: 0, refusedJson: 0, read: 0 };
  fc.assert(
    fc.property(source, (input) => {
      seen.inputs += 1;
      const json = typeof input === 'string' ? parsed(input) : parsed(Buffer.from(input).toString());
      let value: unknown;
      try {
        value = readJson('message', input);
      } catch {
        const { reason } = refusalOf(() => readJson('message', input)).details;
        seen[json === undefined ? 'notJson' : 'refusedJson'] += 1;
        expect(reason === 'it is not JSON' || reason === 'it is not UTF-8').toBe(json === undefined);
        return;
      }
      seen.read += 1;
      expect(json).toBeDefined();
      expect(value).toEqual(asJson(json?.value));
    }),
    runs(3_000),
  );
  expect(prototypes()).toEqual(before);
  expect(seen.inputs).toBeGreaterThanOrEqual(2_000);
  expect(Math.min(seen.notJson, seen.refusedJson, seen.read)).toBeGreaterThan(20);
});
