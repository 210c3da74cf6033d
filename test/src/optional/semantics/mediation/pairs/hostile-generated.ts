import * as fc from 'fast-check';
import type { JsonObject } from '../../../../../../schema/formats.ts';

const descriptions = [
  'name of the guest',
  'day of arrival',
  'number of the room',
  'price in euros',
  'remarks by the porter',
  'colour of a key',
];
const kinds = fc.constantFrom<JsonObject>(
  { type: 'string' },
  { type: 'number' },
  { type: 'integer', minimum: 0, maximum: 9 },
  { type: 'string', format: 'date-time' },
  { type: 'string', format: 'date' },
  { type: ['string', 'null'] },
  { enum: ['one', 'two'] },
  {},
);
const names = ['aa', 'bb', 'cc', 'dd'];

const { schema: shapes } = fc.letrec<{ schema: JsonObject; node: JsonObject }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    kinds,
    tie('schema'),
    tie('node').map((items): JsonObject => ({ type: 'array', items })),
    fc.array(tie('node'), { minLength: 1, maxLength: 3 }).map((prefixItems): JsonObject => ({
      type: 'array',
      prefixItems,
      minItems: prefixItems.length,
      items: false,
    })),
  ),
  schema: fc
    .tuple(fc.array(tie('node'), { minLength: 1, maxLength: 4 }), fc.subarray(names))
    .map(([nodes, asked]): JsonObject => {
      const properties = Object.fromEntries(nodes.map((node, at) => [names[at], node]));
      const required = asked.filter((name) => name in properties);
      return { type: 'object', properties, required };
    }),
}));

/** The same, with the next of some descriptions for each value. */
const describedBy = (schema: JsonObject, words: string[]): JsonObject => {
  const { properties, items, prefixItems } = schema;
  if (properties !== undefined) {
    const members = Object.entries(properties as Record<string, JsonObject>);
    const all = members.map(([name, member]) => [name, describedBy(member, words)]);
    return { ...schema, properties: Object.fromEntries(all) };
  }
  if (Array.isArray(prefixItems))
    return { ...schema, prefixItems: prefixItems.map((each: JsonObject) => describedBy(each, words)) };
  if (schema['type'] === 'array') return { ...schema, items: describedBy(items as JsonObject, words) };
  const description = words.shift();
  return description === undefined ? schema : { ...schema, description };
};

/** Schemas whose values are described, in objects, lists and tuples that lie in one another. */
export const schemas: fc.Arbitrary<JsonObject> = fc
  .tuple(shapes, fc.shuffledSubarray(descriptions, { minLength: descriptions.length }))
  .map(([schema, words]) => describedBy(schema, [...words]));

const samples: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'date-time': fc.constantFrom('2026-03-01T10:00:00Z', '2026-12-31T23:59:59+14:00'),
  date: fc.constant('2026-03-01'),
  number: fc.constantFrom(0, -1.5, 1e21, 7),
  integer: fc.nat({ max: 9 }),
};

/** Payloads of such a schema. */
export const payloadsOf = (schema: JsonObject): fc.Arbitrary<unknown> => {
  const { type, properties, required = [], items, prefixItems, format } = schema;
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if (type === 'object') {
    const members = Object.entries(properties as Record<string, JsonObject>);
    const record = Object.fromEntries(members.map(([name, member]) => [name, payloadsOf(member)]));
    return fc.record(record, { requiredKeys: required as string[], noNullPrototype: true });
  }
  if (Array.isArray(prefixItems)) return fc.tuple(...(prefixItems as JsonObject[]).map(payloadsOf));
  if (type === 'array') return fc.array(payloadsOf(items as JsonObject), { maxLength: 3 });
  if (Array.isArray(type)) return fc.constantFrom('text', null);
  return samples[String(format ?? type)] ?? fc.constantFrom('', 'text', '12');
};
