import { isObject } from '../boundary/is-object.ts';
import { membersOf } from '../boundary/issues-of.ts';
import { deepFreeze } from '../canonical/deep-freeze.ts';
import type { JsonObject } from '../../schema/formats.ts';
import type { Tool } from '../ports/tool.ts';

/** The JSON Schema of a reference, as a model sees it. */
export const referenceSchema: JsonObject = deepFreeze({
  type: 'object',
  description: 'In place of the value, where it is taken from. Its origin is then exact.',
  properties: {
    $from: {
      type: 'string',
      description:
        'request; answer-1 for the first answer of a person; or the name of a tool, # and the number of its result in this run: contacts.find#2',
    },
    pointer: { type: 'string', description: 'A JSON Pointer into it, such as /items/0/id; "" for all of it' },
  },
  required: ['$from', 'pointer'],
  additionalProperties: false,
});

/** The most `$ref` that are followed to one place. */
const mostSteps = 64;

type Widen = (schema: unknown) => unknown;
type Names = (name: string) => boolean;

const mapped = (value: unknown, change: (one: unknown, name: string) => unknown): JsonObject =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one, name)]))
    : {};

const listed = (value: unknown, widen: Widen): unknown =>
  Array.isArray(value) ? value.map(widen) : widen(value);

/** Returns the members of a schema of any value, without the boolean schemas, which accept or refuse all. */
const objectsIn = (schema: JsonObject, keys: readonly string[], change: Widen): JsonObject =>
  Object.fromEntries(
    keys.flatMap((key) => {
      const value = schema[key];
      return isObject(value) || Array.isArray(value) ? [[key, listed(value, change)]] : [];
    }),
  );

/** Returns a schema whose members or elements of these names are widened, in each of its alternatives. */
const withChildren = (schema: JsonObject, names: Names, widen: Widen): JsonObject => {
  const alternative = (one: unknown): unknown =>
    isObject(one) && one !== referenceSchema ? withChildren(one, names, widen) : one;
  const { oneOf, ...rest }: JsonObject = {
    ...schema,
    ...('properties' in schema && {
      properties: mapped(schema['properties'], (one, name) => (names(name) ? widen(one) : one)),
    }),
    ...('patternProperties' in schema && { patternProperties: mapped(schema['patternProperties'], widen) }),
    ...objectsIn(schema, ['additionalProperties', 'unevaluatedProperties', 'items', 'prefixItems'], widen),
    ...objectsIn(schema, ['anyOf', 'oneOf', 'allOf', 'then', 'else'], alternative),
  };
  // a reference fits each of the alternatives
  const any = 'anyOf' in rest ? { allOf: [{ anyOf: oneOf }] } : { anyOf: oneOf };
  return oneOf === undefined ? rest : { ...rest, ...any };
};

const everything: Names = () => true;

/** Returns a schema that also accepts a reference, as does each value below it. */
const orReference: Widen = (schema) => {
  if (schema === false || schema === referenceSchema) return schema;
  if (!isObject(schema)) return { anyOf: [schema, referenceSchema] };
  const { anyOf } = schema;
  if (Array.isArray(anyOf) && anyOf.includes(referenceSchema)) return schema;
  return { anyOf: [withChildren(schema, everything, orReference), referenceSchema] };
};

const targetOf = (root: JsonObject, pointer: string): unknown =>
  membersOf(pointer).reduce<unknown>((at, token) => (isObject(at) ? at[token] : undefined), root);

/** Returns a schema with the schema that it refers to, if it refers to one in the same document. */
const followed = (root: JsonObject, schema: JsonObject): JsonObject => {
  let found = schema;
  for (let step = 0; step < mostSteps; step += 1) {
    const { $ref, ...beside } = found;
    if (typeof $ref !== 'string' || !$ref.startsWith('#/')) return found;
    const target = targetOf(root, $ref.slice(1));
    if (!isObject(target)) return found;
    found = { ...target, ...beside };
  }
  return schema;
};

const widenedAt = (root: JsonObject, schema: unknown, [token, ...below]: readonly string[]): unknown => {
  if (token === undefined) return orReference(schema);
  if (!isObject(schema) || schema === referenceSchema) return schema;
  const names: Names = (name) => token === '*' || name === token;
  return withChildren(followed(root, schema), names, (child) => widenedAt(root, child, below));
};

const patternsOf = ({ flows, labels }: Pick<Tool, 'flows' | 'labels'>): readonly string[] => [
  ...Object.keys(flows ?? {}),
  ...(labels === 'arguments' ? [''] : []),
];

/**
 * Returns the JSON Schema of a tool's arguments in which each value whose origin matters may also be a reference. That
 * of a tool that does not ask where its arguments come from is returned as it is.
 */
export const withReferences = (tool: Pick<Tool, 'flows' | 'labels'>, schema: JsonObject): JsonObject =>
  patternsOf(tool).reduce((widened, pattern): JsonObject => {
    // the arguments themselves are an object
    if (pattern === '') return withChildren(followed(schema, widened), everything, orReference);
    const made = widenedAt(schema, widened, membersOf(pattern));
    return isObject(made) ? made : widened;
  }, schema);
