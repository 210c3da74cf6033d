import { isObject } from '../../base/boundary/is-object.ts';
import { membersOf } from '../../base/boundary/issues-of.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { targetOf } from '../../base/define/unknown-members.ts';
import type { JsonObject } from '../../../schema/formats.ts';
import type { Tool } from '../../base/ports/tool.ts';

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

/** Returns a schema with the schema that it refers to, if it refers to one in the same document. */
const followed = (root: JsonObject, schema: JsonObject): JsonObject => {
  let found = schema;
  for (let step = 0; step < mostSteps; step += 1) {
    const { $ref, ...beside } = found;
    const target = targetOf(root, $ref);
    if (!isObject(target)) return found;
    found = { ...target, ...beside };
  }
  return schema;
};

const everything: Names = () => true;

/** Widens a schema. A definition that it refers to is copied and widened once, because it may refer to itself. */
class Widening {
  readonly #root: JsonObject;
  /** The widened definitions, by the `$ref` to the original. */
  readonly #definitions = new Map<string, { readonly name: string; schema: unknown }>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** The definitions that widened schemas refer to, by name. */
  get definitions(): JsonObject {
    return Object.fromEntries([...this.#definitions.values()].map(({ name, schema }) => [name, schema]));
  }

  /** Widens the values that a pattern covers. */
  at(schema: unknown, [token, ...below]: readonly string[]): unknown {
    if (token === undefined) return this.#orReference(schema);
    if (!isObject(schema) || schema === referenceSchema) return schema;
    const names: Names = (name) => token === '*' || name === token;
    return this.#within(schema, names, (child) => this.at(child, below));
  }

  /** Widens each value in a schema, which is one of an object. */
  inside(schema: JsonObject): JsonObject {
    return this.#within(followed(this.#root, schema), everything, this.#orReference);
  }

  /** Returns a schema that also accepts a reference, as does each value below it. */
  readonly #orReference: Widen = (schema) => {
    if (schema === false || schema === referenceSchema) return schema;
    if (!isObject(schema)) return { anyOf: [schema, referenceSchema] };
    const { anyOf } = schema;
    if (Array.isArray(anyOf) && anyOf.includes(referenceSchema)) return schema;
    return { anyOf: [this.#within(schema, everything, this.#orReference), referenceSchema] };
  };

  /** Returns the `$ref` to the widened copy of a definition; that of another document is returned as it is. */
  #definitionOf($ref: unknown): unknown {
    const target = targetOf(this.#root, $ref);
    if (typeof $ref !== 'string' || !isObject(target)) return $ref;
    const known = this.#definitions.get($ref);
    if (known !== undefined) return `#/$defs/${known.name}`;
    const name = `agentcharter.${this.#definitions.size + 1}`;
    const definition = { name, schema: {} as unknown };
    this.#definitions.set($ref, definition);
    definition.schema = this.#orReference(target);
    return `#/$defs/${name}`;
  }

  /** Returns a schema whose members or elements of these names are widened, in each of its alternatives. */
  #within(given: JsonObject, names: Names, widen: Widen): JsonObject {
    const isWhole = names === everything;
    const schema = isWhole ? given : followed(this.#root, given);
    const alternative = (one: unknown): unknown =>
      isObject(one) && one !== referenceSchema ? this.#within(one, names, widen) : one;
    const { oneOf, ...rest }: JsonObject = {
      ...schema,
      ...(isWhole && '$ref' in schema && { $ref: this.#definitionOf(schema['$ref']) }),
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
  }
}

const patternsOf = ({ flows, labels }: Pick<Tool, 'flows' | 'labels'>): readonly string[] => [
  ...Object.keys(flows ?? {}),
  ...(labels === 'arguments' ? [''] : []),
];

/**
 * Returns the JSON Schema of a tool's arguments in which each value whose origin matters may also be a reference. That
 * of a tool that does not ask where its arguments come from is returned as it is.
 */
export const withReferences = (tool: Pick<Tool, 'flows' | 'labels'>, schema: JsonObject): JsonObject => {
  const widening = new Widening(schema);
  const widened = patternsOf(tool).reduce((made, pattern): JsonObject => {
    // the arguments themselves are an object
    const next = pattern === '' ? widening.inside(made) : widening.at(made, membersOf(pattern));
    return isObject(next) ? next : made;
  }, schema);
  const { definitions } = widening;
  if (Object.keys(definitions).length === 0) return widened;
  return { ...widened, $defs: { ...mapped(schema['$defs'], (one) => one), ...definitions } };
};
