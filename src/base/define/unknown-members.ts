import { didYouMean } from '../boundary/did-you-mean.ts';
import { isObject } from '../boundary/is-object.ts';
import { membersOf } from '../boundary/issues-of.ts';
import { pointerTo } from '../canonical/unreadable.ts';
import type { Issue } from '../errors.ts';
import { isIndex } from '../feedback/place.ts';
import type { Flows, Labels } from '../ports/origin.ts';
import type { JsonObject } from '../../../schema/formats.ts';
import { jsonSchemaOf } from './json-schema-of.ts';

/** The most schemas that are looked at for one pointer. */
const mostSchemas = 1_000;

/** Returns the schema that a `$ref` in the same document names; `undefined` for another. */
export const targetOf = (root: JsonObject, ref: unknown): unknown => {
  if (typeof ref !== 'string' || !/^#(?:\/|$)/.test(ref)) return undefined;
  return membersOf(ref.slice(1)).reduce<unknown>((at, token) => (isObject(at) ? at[token] : undefined), root);
};

/** Returns a schema as its alternatives; `true` stands for one that says nothing of its members. */
const alternativesOf = (root: JsonObject, schema: unknown, steps = 0): readonly unknown[] => {
  if (schema === false) return [];
  if (!isObject(schema) || steps > 64) return [true];
  const { $ref, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return alternativesOf(root, targetOf(root, $ref), steps + 1);
  if (allOf !== undefined) return [true];
  const either = anyOf ?? oneOf;
  return Array.isArray(either) ? either.flatMap((one) => alternativesOf(root, one, steps + 1)) : [schema];
};

/** Stands for any one member or element. */
const any = Symbol('*');

const membersAt = (schema: JsonObject, token: string | typeof any): readonly unknown[] => {
  const { properties = {}, patternProperties, additionalProperties = true } = schema;
  const known = isObject(properties) ? properties : {};
  if (token === any)
    return [...Object.values(known), additionalProperties, ...(patternProperties ? [true] : [])];
  if (Object.hasOwn(known, token)) return [known[token]];
  return [patternProperties === undefined ? additionalProperties : true];
};

const elementsAt = (
  { items = true, prefixItems = [] }: JsonObject,
  token: string | typeof any,
): readonly unknown[] => {
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
  const rest = Array.isArray(items) ? [true] : [items];
  if (token === any) return [...first, ...rest];
  if (!isIndex(token)) return [];
  return Number(token) < first.length ? [first[Number(token)]] : rest;
};

/** Returns the schemas of a member or an element; none if there cannot be one. */
const childrenAt = (schema: unknown, token: string | typeof any): readonly unknown[] => {
  if (!isObject(schema)) return [true];
  const { type } = schema;
  const may = (kind: string): boolean => type === undefined || [type].flat().includes(kind);
  return [
    ...(may('object') ? membersAt(schema, token) : []),
    ...(may('array') ? elementsAt(schema, token) : []),
  ];
};

const namesIn = (schema: unknown): readonly string[] =>
  isObject(schema) && isObject(schema['properties']) ? Object.keys(schema['properties']) : [];

/** What pointers name: an argument of a tool, or a member of its result. */
type Named = 'argument' | 'member of the result';

/**
 * Returns why a pointer names nothing, without the pointer; `undefined` if it names something, or if the schema is open
 * there. `wildcard` matches any one member or element.
 */
const unknownAt = (root: JsonObject, named: Named, pointer: string, wildcard?: '*'): string | undefined => {
  let schemas = alternativesOf(root, root);
  for (const token of membersOf(pointer)) {
    const below = schemas
      .flatMap((schema) => childrenAt(schema, token === wildcard ? any : token))
      .flatMap((schema) => alternativesOf(root, schema));
    if (below.length > mostSchemas) return undefined;
    if (below.length === 0) {
      const names = [...new Set(schemas.flatMap(namesIn))];
      const accepted = names.length === 0 ? '' : `: expected one of ${names.join(', ')}`;
      return `names no ${named}, because there is no ${JSON.stringify(token)}${accepted}${didYouMean(token, names)}`;
    }
    schemas = below;
  }
  return undefined;
};

/** Returns the values that a schema returns, as JSON Schema; `undefined` if it cannot be printed. */
const printed = (schema: unknown): JsonObject | undefined => {
  try {
    return jsonSchemaOf(schema, 'output', true);
  } catch {
    return undefined;
  }
};

/**
 * Returns the issues of flows that name an argument which the tool cannot have: one that its schema, as JSON Schema,
 * excludes. Nothing is known of a schema that cannot be printed or is open there.
 */
export const unknownArguments = (input: unknown, flows: Flows = {}): readonly Issue[] => {
  const entries = Object.entries(flows);
  const root = entries.length === 0 ? undefined : printed(input);
  if (root === undefined) return [];
  return entries.flatMap(([pattern, flow]) => {
    const named = [pattern, ...[flow].flat().flatMap(({ readers = [] }) => readers)];
    return named.flatMap((pointer, at) => {
      const unknown = unknownAt(root, 'argument', pointer, at === 0 ? '*' : undefined);
      const path = pointerTo(at === 0 ? ['flows', pattern] : ['flows', pattern, 'readers']);
      return unknown === undefined ? [] : [{ path, message: `${pointer} ${unknown}` }];
    });
  });
};

/**
 * Returns the issues of labels that name a member which the result cannot have: one that the `output` schema, as JSON
 * Schema, excludes. Nothing is known without one, or if it cannot be printed or is open there. `at` is the place of the
 * output in the result.
 */
export const unknownResults = (
  output: unknown,
  labels: Labels | 'arguments' = {},
  at = '',
): readonly Issue[] => {
  const patterns = labels === 'arguments' ? [] : Object.keys(labels);
  const root = output === undefined || patterns.length === 0 ? undefined : printed(output);
  if (root === undefined) return [];
  return patterns.flatMap((pattern) => {
    const unknown = unknownAt(root, 'member of the result', pattern, '*');
    const path = pointerTo(['labels', at + pattern]);
    return unknown === undefined ? [] : [{ path, message: `${at}${pattern} ${unknown}` }];
  });
};
