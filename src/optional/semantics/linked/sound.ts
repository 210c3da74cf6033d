import { isDeepStrictEqual } from 'node:util';
import { isCharterError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../../schema/formats.ts';
import { describe } from '../derive/describe.ts';
import type { Entries } from '../derive/entries.ts';
import { isSchema } from '../derive/keywords.ts';

/** Keywords with subschemas for inner places. */
const applicators = [
  '$ref',
  'properties',
  'patternProperties',
  'additionalProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'required',
  'dependentSchemas',
  'if',
];

const alternatives = ['anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'];

/** Keywords that depend on the alternative that applied. */
const unevaluated = ['unevaluatedProperties', 'unevaluatedItems'];

/** Returns whether a schema constrains only the value itself. */
const isFlat = (schema: unknown): boolean => {
  if (!isSchema(schema) || typeof schema === 'boolean') return true;
  if ([...applicators, ...unevaluated].some((keyword) => Object.hasOwn(schema, keyword))) return false;
  return [schema['allOf'], schema['anyOf'], schema['oneOf']].every(
    (schemas) => !Array.isArray(schemas) || schemas.every(isFlat),
  );
};

const isFlatKeyword = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isFlat) : isFlat(value);

/** Returns the schema without constraints of inner places in single alternatives. */
function certain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(certain);
  if (!isSchema(schema) || typeof schema === 'boolean') return schema;
  const conditional = ['if', 'then', 'else'].every((keyword) => isFlatKeyword(schema[keyword]));
  const members = Object.entries(schema).filter(([keyword, value]) => {
    if (unevaluated.includes(keyword) || keyword === 'dependentSchemas') return false;
    if (['if', 'then', 'else'].includes(keyword)) return conditional;
    return !alternatives.includes(keyword) || isFlatKeyword(value);
  });
  return Object.fromEntries(members.map(([keyword, value]) => [keyword, certain(value)]));
}

/**
 * Returns the entries that hold whichever alternatives apply; `undefined` if unknown. A derived context has
 * more, because there an alternative counts if it names the place.
 */
function certainEntries(schema: JsonObject): Entries | undefined {
  try {
    return describe(certain(schema) as JsonObject);
  } catch (error) {
    if (isCharterError(error, 'definition_invalid')) return undefined;
    throw error;
  }
}

/** Returns a function that tells whether a constraint of a path holds for all that the schema accepts. */
export function soundnessOf(schema: unknown): (path: string, constraint: unknown) => boolean {
  if (!isSchema(schema) || typeof schema === 'boolean') return () => true;
  const entries = certainEntries(schema);
  return (path, constraint) => {
    const entry = entries?.get(path);
    if (entry === undefined) return false;
    return isDeepStrictEqual(
      { ...entry.constraints, ...(entry.isRequired && { required: true }) },
      constraint,
    );
  };
}
