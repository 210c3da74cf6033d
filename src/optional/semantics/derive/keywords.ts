import * as z from 'zod';
import { isObject } from '../../../base/boundary/is-object.ts';
import type { JsonObject } from '../../../../schema/formats.ts';

export type Schema = JsonObject | boolean;

/** Returns whether a value is a boolean or an object, as a schema must be. */
export const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isObject(value);

const Subschema = z.custom<Schema>(isSchema, 'expected a JSON Schema: an object or a boolean');
const Items = z.custom<Schema | Schema[]>(
  (value) => isSchema(value) || (Array.isArray(value) && value.every(isSchema)),
  'expected a JSON Schema, or an array of them',
);
const Subschemas = z.array(Subschema);
const ByName = z.record(z.string(), Subschema);
const Names = z.array(z.string());
const Count = z.int().min(0);
const TypeName = z.enum(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

/** Keywords without subschemas, which become constraints unchanged. */
const scalar = z.object({
  type: z.union([TypeName, z.array(TypeName).min(1)]),
  enum: z.array(z.unknown()),
  const: z.unknown(),
  format: z.string(),
  pattern: z.string(),
  minimum: z.number(),
  maximum: z.number(),
  exclusiveMinimum: z.number(),
  exclusiveMaximum: z.number(),
  multipleOf: z.number().positive(),
  minLength: Count,
  maxLength: Count,
  minItems: Count,
  maxItems: Count,
  uniqueItems: z.boolean(),
  minProperties: Count,
  maxProperties: Count,
  dependentRequired: z.record(z.string(), Names),
  contentEncoding: z.string(),
  contentMediaType: z.string(),
  default: z.unknown(),
  deprecated: z.boolean(),
  readOnly: z.boolean(),
  writeOnly: z.boolean(),
});

const single = z.object({
  additionalProperties: Subschema,
  unevaluatedProperties: Subschema,
  propertyNames: Subschema,
  items: Items,
  additionalItems: Subschema,
  unevaluatedItems: Subschema,
  contains: Subschema,
  not: Subschema,
  if: Subschema,
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: Subschema,
  else: Subschema,
});

const listed = z.object({
  allOf: Subschemas,
  anyOf: Subschemas,
  oneOf: Subschemas,
  prefixItems: Subschemas,
});

const named = z.object({
  properties: ByName,
  patternProperties: ByName,
  dependentSchemas: ByName,
  $defs: ByName,
  definitions: ByName,
});

/** The supported keywords of JSON Schema 2020-12 and draft-07. Others are ignored. */
export const Keywords = z
  .looseObject({
    $id: z.string(),
    $ref: z.string(),
    $dynamicRef: z.never('expected none: what it refers to depends on the way to it'),
    $recursiveRef: z.never('expected none: what it refers to depends on the way to it'),
    title: z.string(),
    description: z.string(),
    /** Extension: the concepts of the value, as tags or ontology terms. */
    concepts: Names,
    /** Extension: the relation of the value to its holder, as an ontology term. */
    predicate: z.string().min(1),
    /** Extension: the unit of the value. */
    unit: z.string().min(1),
    required: Names,
    /** A keyword of OpenAPI 3.0. */
    nullable: z.boolean(),
    ...scalar.shape,
    ...single.shape,
    ...listed.shape,
    ...named.shape,
  })
  .partial();
export type Keywords = z.infer<typeof Keywords>;

export const valueKeywords: ReadonlySet<string> = new Set(Object.keys(scalar.shape));

/** Yields the direct subschemas, each with its relative keys. */
export function* subschemasOf(keywords: Keywords): Generator<readonly [readonly string[], Schema]> {
  const entries = (key: string, holder: object): (readonly [readonly string[], Schema])[] =>
    Object.entries(holder).map(([name, schema]: [string, Schema]) => [[key, name], schema]);
  for (const key of single.keyof().options) {
    const schema = keywords[key];
    if (Array.isArray(schema)) yield* entries(key, schema);
    else if (schema !== undefined) yield [[key], schema];
  }
  for (const key of [...listed.keyof().options, ...named.keyof().options]) {
    yield* entries(key, keywords[key] ?? []);
  }
}
