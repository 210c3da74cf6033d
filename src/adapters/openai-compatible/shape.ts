import type { JsonObject } from '../../../schema/formats.ts';
import { isObject } from '../../base/boundary/is-object.ts';

const kept = ['type', 'description', 'enum', 'const', 'required'];

const additional = (schema: JsonObject): JsonObject => {
  const { type, properties, additionalProperties: given, patternProperties } = schema;
  if (patternProperties !== undefined) return { additionalProperties: true };
  if (given !== undefined)
    return { additionalProperties: typeof given === 'boolean' ? given : shapeOf(given) };
  // explicit, because some decoders read an object without properties as an empty one
  return type === 'object' && properties === undefined ? { additionalProperties: true } : {};
};

/**
 * Returns a simplified JSON Schema with the keywords that every constrained decoder supports.
 *
 * It accepts everything that the schema accepts, and more. The reader checks patterns, formats, bounds and
 * references.
 */
export const shapeOf = (schema: unknown): JsonObject => {
  if (!isObject(schema) || schema['$ref'] !== undefined) return {}; // beside `$ref`, drafts differ in other keywords
  const { properties, items, prefixItems, anyOf, oneOf } = schema;
  const alternatives = anyOf ?? oneOf;
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([key]) => kept.includes(key))),
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, shapeOf(one)])),
    }),
    ...(items !== undefined && prefixItems === undefined && { items: shapeOf(items) }),
    ...(Array.isArray(alternatives) && { anyOf: alternatives.map(shapeOf) }),
    ...additional(schema),
  };
};
