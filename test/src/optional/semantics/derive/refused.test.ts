import { deriveContext } from 'agentcharter/semantics';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { JsonObject } from '../../../../../schema/formats.ts';

const nested = (depth: number): JsonObject => (depth === 0 ? {} : { items: nested(depth - 1) });
const numbered = <Value>(count: number, of: (index: number) => Value) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, of(index)]));
const chain = (count: number, link: (next: JsonObject) => JsonObject) => ({
  $ref: '#/$defs/p0',
  $defs: numbered(count, (index) => link(index === count - 1 ? {} : { $ref: `#/$defs/p${index + 1}` })),
});
const described = { description: 'x'.repeat(100_000) };

const refusals: Readonly<Record<string, readonly [schema: unknown, path: string, message: RegExp]>> = {
  'no schema': [null, '', /accepted: a schema that provides JSON Schema/],
  'a list': [[], '', /accepted: a schema that provides JSON Schema/],
  'a Standard Schema without JSON Schema': [v.string(), '', /toStandardJsonSchema/],
  'a type that JSON lacks': [z.object({ a: z.date() }), '', /Date cannot be.*accepted: types that JSON/],
  'values that are not data': [
    { properties: { a: { default: 1n } } },
    '/properties/a/default',
    /bigint; accepted: a string/,
  ],
  'a __proto__ key': [JSON.parse('{"properties":{"__proto__":{}}}'), '/properties', /any other key/],
  'a keyword with a value of another type': [
    { items: { minimum: '1' } },
    '/items/minimum',
    /must be a number.*JSON Schema 2020-12/,
  ],
  'members that are no schemas': [{ properties: { a: 1 } }, '/properties/a', /expected a JSON Schema/],
  'tags that are no list': [{ concepts: 'schema:Person' }, '/concepts', /must be an array/],
  'another document': [
    { items: { $ref: 'https://example.org/x' } },
    '/items/$ref',
    /accepted: a \$ref to a schema of/,
  ],
  'another document at an unused place': [
    { $defs: { a: { $ref: 'x.json' } } },
    '/$defs/a/$ref',
    /same document/,
  ],
  'an anchor': [{ $ref: '#name' }, '/$ref', /"#\/\$defs\/name"/],
  'a malformed reference': [{ $ref: '#/%' }, '/$ref', /"#\/\$defs\/name"/],
  'a dangling reference': [{ $ref: '#/$defs/constructor', $defs: {} }, '/$ref', /refers to no schema/],
  'a reference to a value that is no schema': [
    { $ref: '#/required', required: [] },
    '/$ref',
    /refers to no schema/,
  ],
  'a reference to a malformed schema': [{ $ref: '#/x/y', x: { y: { type: 1 } } }, '/x/y/type', /must be/],
  'a dynamic reference': [{ $dynamicRef: '#node' }, '/$dynamicRef', /expected none/],
  'a schema nested too deeply': [nested(65), '/items'.repeat(64), /accepted: a depth of 64/],
  'a schema that expands too deeply': [
    chain(200, (items) => ({ items })),
    '/$defs/p63',
    /128 in all \(depth\)/,
  ],
  'too many paths': [{ properties: numbered(1_001, () => ({})) }, '', /1000 in all \(paths\)/],
  'too many names': [{ required: Object.keys(numbered(1_001, () => 0)) }, '', /1000 in all \(paths\)/],
  'a schema that doubles with each reference': [
    chain(40, (next) => ({ allOf: [next, next] })),
    '/$defs',
    /10000 in all \(schemas\)/,
  ],
  'text that repeats too often': [
    { properties: numbered(9, () => ({ $ref: '#/$defs/a' })), $defs: { a: described } },
    '',
    /524288 in all \(text\)/,
  ],
};

describe('A refused schema', () => {
  it.each(Object.entries(refusals))(
    'is reported with the place and the accepted values: %s',
    (_, [schema, path, message]) => {
      expect(() => deriveContext(schema as JsonObject)).toThrow(
        expect.objectContaining({
          code: 'definition_invalid',
          message: expect.stringMatching(message),
          details: { definition: 'schema', issues: expect.any(Array) },
        }),
      );
      try {
        deriveContext(schema as JsonObject);
      } catch (error) {
        const { issues } = (error as { details: { issues: { path: string }[] } }).details;
        expect(issues[0]?.path.slice(0, path.length)).toBe(path);
      }
    },
  );
});
