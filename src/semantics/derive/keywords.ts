import * as z from 'zod';
import { isObject } from '../../boundary/is-object.ts';
import type { JsonObject } from '../../../schema/formats.ts';

export type Schema = JsonObject | boolean;

/** Whether a value has the type of a schema. */
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

/** Keywords that say something of the value itself, and hold no schema: they become constraints as they stand. */
const said = z.object({
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
  // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's
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

/** What is read of a JSON Schema, of draft 2020-12 or draft-07; what else it holds is left alone. */
export const Keywords = z
  .looseObject({
    $id: z.string(),
    $ref: z.string(),
    $dynamicRef: z.never('expected none: what it refers to depends on the way to it'),
    $recursiveRef: z.never('expected none: what it refers to depends on the way to it'),
    title: z.string(),
    description: z.string(),
    /** Ours: what the value is, in tags or in terms of an ontology. */
    concepts: Names,
    /** Ours: what the value is to what holds it, as a term of an ontology. */
    predicate: z.string().min(1),
    /** Ours: the unit that the value is given in. */
    unit: z.string().min(1),
    required: Names,
    /** Of OpenAPI 3.0. */
    nullable: z.boolean(),
    ...said.shape,
    ...single.shape,
    ...listed.shape,
    ...named.shape,
  })
  .partial();
export type Keywords = z.infer<typeof Keywords>;

export const saidKeywords: ReadonlySet<string> = new Set(Object.keys(said.shape));

/** The schemas that stand directly inside another, each with its keys from there. */
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
