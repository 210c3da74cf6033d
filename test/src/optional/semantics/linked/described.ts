import * as fc from 'fast-check';
import type { JsonObject } from '../../../../../schema/formats.ts';

const texts = fc.constantFrom('', 'a', 'ab', 'abc', 'A1', 'x@y.z', '😀', '😀😀', 'a\nb', '\ue000');
const numbers = fc.constantFrom(0, 1, 2, 3, 7, -1, 0.5, 2.5, 0.1 + 0.2, 0.3, 1e-7 / 3, 1e-7, 1e21, 1.5e300);
const scalars = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null));
const small = fc.nat({ max: 3 });
const patterns = fc.constantFrom(
  '^a',
  'b$',
  '^[a-z]+$',
  '@',
  '^.{2}$',
  '^[^a]*$',
  '^\\w+@\\w+\\.\\w+$',
  '^(a|A)\\d?$',
);

const maybe = { requiredKeys: ['type'] as ['type'] };
const string = fc.record(
  { type: fc.constant('string'), minLength: small, maxLength: small, pattern: patterns },
  maybe,
);
const bounds = { minimum: numbers, maximum: numbers, exclusiveMinimum: numbers, exclusiveMaximum: numbers };
const number = fc.record({ type: fc.constantFrom('number', 'integer'), ...bounds }, maybe);
const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const names = ['a', 'b', 'schema:c', 'constructor'] as const;

const tied = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    string,
    number,
    fc.record({ type: fc.constantFrom('boolean', 'null') }),
    fc.record({ enum: fc.uniqueArray(scalars, { minLength: 1, maxLength: 3 }) }),
    fc.record({ const: scalars }),
    fc.record({
      type: fc.uniqueArray(types, { minLength: 1, maxLength: 3 }),
      minLength: small,
      minimum: numbers,
    }),
    fc.record({ minLength: small, minimum: numbers, maxItems: small }, { requiredKeys: [] }),
    fc.record({ not: fc.oneof(string, number, fc.record({ const: scalars })) }),
    fc.record({ anyOf: fc.array(fc.oneof(string, number), { minLength: 1, maxLength: 2 }) }),
    fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: small, maxItems: small }, maybe),
    fc.record({ prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }), items: tie('schema') }),
    tie('object'),
  ),
  object: fc
    .record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom(...names), tie('schema'), {
          maxKeys: 3,
          noNullPrototype: true,
        }),
        required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
        additionalProperties: fc.constant(false),
      },
      { requiredKeys: ['properties'] },
    )
    .filter(({ properties, required, additionalProperties }) =>
      additionalProperties === false
        ? (required ?? []).every((name) => Object.hasOwn(properties, name))
        : true,
    ),
}));

/** Schemas of payloads, of nothing but what shapes say as well. */
export const sayable: fc.Arbitrary<JsonObject> = tied.object;

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const record = (value: unknown): JsonObject => (value ?? {}) as JsonObject;

/** Values that fit a schema for the most part, and miss it somewhere now and then. */
export function valuesFor(schema: JsonObject): fc.Arbitrary<unknown> {
  const any = fc.oneof(scalars, fc.constantFrom<unknown>([], {}, ['a'], { a: 1 }, [[1]]));
  const literals = 'const' in schema ? [schema['const']] : list(schema['enum']);
  const fitting = ((): fc.Arbitrary<unknown> => {
    if (literals.length > 0) return fc.constantFrom(...literals);
    if (schema['properties'] !== undefined) return objectsFor(schema);
    if (schema['items'] !== undefined) return arraysFor(schema);
    switch (schema['type']) {
      case 'string':
        return texts;
      case 'number':
      case 'integer':
        return numbers;
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return any;
    }
  })();
  return fc.oneof({ weight: 12, arbitrary: fitting }, { weight: 1, arbitrary: any });
}

const arraysFor = (schema: JsonObject): fc.Arbitrary<unknown> => {
  const first = list(schema['prefixItems']).map((each) => valuesFor(record(each)));
  const others = fc.array(valuesFor(record(schema['items'])), { maxLength: 3 });
  return fc.tuple(fc.tuple(...first), others).map(([tuple, rest]) => [...tuple, ...rest]);
};

/** Objects that fit a schema for the most part; now and then one lacks a member, or has another. */
export const objectsFor = (schema: JsonObject): fc.Arbitrary<JsonObject> => {
  const properties = Object.entries(record(schema['properties']));
  const required = list(schema['required']).map(String);
  const missing = required.filter((name) => !Object.hasOwn(record(schema['properties']), name));
  const all: Record<string, fc.Arbitrary<unknown>> = Object.fromEntries([
    ...properties.map(([name, each]) => [name, valuesFor(record(each))] as const),
    ...missing.map((name) => [name, scalars] as const),
  ]);
  const complete = fc.record(all, { requiredKeys: required, noNullPrototype: true });
  const broken = fc.record({ ...all, b: scalars }, { requiredKeys: [], noNullPrototype: true });
  return fc.oneof({ weight: 12, arbitrary: complete }, { weight: 1, arbitrary: broken });
};
