import * as fc from 'fast-check';
import type { JsonObject } from '../../../../../schema/formats.ts';
import { key } from '../../../base/canonical/generated.ts';

const name = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c') },
  key.filter((text) => !/\p{Surrogate}/u.test(text)),
);
const literal = fc.constantFrom<unknown>('a', 'x@y.z', 0, 1, 7, true, null);
const count = fc.nat({ max: 3 });
const ref = fc.constantFrom('#', '#/$defs/a', '#/$defs/b');
const typeName = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null');

const { schema } = fc.letrec<{ schema: JsonObject; either: JsonObject | boolean }>((tie) => {
  const either = tie('either');
  const some = fc.array(either, { minLength: 1, maxLength: 3 });
  const byName = fc.dictionary(name, either, { maxKeys: 3, noNullPrototype: true });
  const type = fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 }));
  const keywords = {
    type,
    enum: fc.uniqueArray(literal, { minLength: 1, maxLength: 3 }),
    const: literal,
    title: fc.constantFrom('T', 'U'),
    description: fc.constantFrom('the first', 'the second'),
    concepts: fc.array(fc.constantFrom('schema:Person', 'engineer')),
    minimum: count,
    maximum: count,
    minLength: count,
    maxItems: count,
    minProperties: count,
    pattern: fc.constantFrom('^a', '@'),
    default: literal,
    deprecated: fc.boolean(),
    $ref: ref,
    if: either,
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's
    then: either,
    else: either,
    allOf: some,
    anyOf: some,
    oneOf: some,
    items: either,
    prefixItems: some,
    additionalItems: either,
    unevaluatedItems: either,
    contains: either,
    not: fc.oneof(either, fc.record({ const: literal })),
    properties: byName,
    required: fc.uniqueArray(name, { maxLength: 2 }),
    patternProperties: fc.dictionary(fc.constantFrom('^a', '^b'), either, { noNullPrototype: true }),
    additionalProperties: either,
    propertyNames: either,
    dependentSchemas: byName,
  };
  return {
    either: fc.oneof({ maxDepth: 4, withCrossShrink: true }, fc.boolean(), tie('schema')),
    schema: fc
      .subarray(Object.keys(keywords) as (keyof typeof keywords)[], { minLength: 2, maxLength: 5 })
      .chain((chosen) =>
        fc.record(Object.fromEntries(chosen.map((keyword) => [keyword, keywords[keyword]])), {
          noNullPrototype: true,
        }),
      ),
  };
});

/**
 * JSON Schemas that hold most of what there is, themselves included; some of them take nothing. `unevaluatedProperties` is
 * left out: under `dependentSchemas` it makes Ajv throw.
 */
export const jsonSchemas: fc.Arbitrary<JsonObject> = fc
  .tuple(schema, schema, schema)
  .map(([root, a, b]) => ({ ...root, $defs: { a, b } }));

/** Values that such schemas speak of. */
export const values: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    literal,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
