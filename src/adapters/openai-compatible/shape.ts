import type { JsonObject } from '../../../schema/formats.ts';
import { isObject } from '../../boundary/is-object.ts';

const kept = ['type', 'description', 'enum', 'const', 'required'];

const additional = (schema: JsonObject): JsonObject => {
  const { type, properties, additionalProperties: given, patternProperties } = schema;
  if (patternProperties !== undefined) return { additionalProperties: true };
  if (given !== undefined)
    return { additionalProperties: typeof given === 'boolean' ? given : shapeOf(given) };
  // A free object has to say so: some decoders take one that names no properties for an empty one.
  return type === 'object' && properties === undefined ? { additionalProperties: true } : {};
};

/**
 * The shape of what a JSON Schema takes, in the few words that every constrained decoder knows.
 *
 * It takes whatever the schema takes, and more: patterns, formats, bounds and references are left to whoever reads.
 */
export const shapeOf = (schema: unknown): JsonObject => {
  if (!isObject(schema) || schema['$ref'] !== undefined) return {}; // beside a reference, drafts read the rest differently
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
