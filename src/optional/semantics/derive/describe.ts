import { shownPointer } from '../../../base/canonical/unreadable.ts';
import type { JsonObject } from '../../../../schema/formats.ts';
import { withNull, type Constraints } from './constraints.ts';
import { mergeAlternatives, mergeAll, type Entries, type Entry } from './entries.ts';
import { valueKeywords, type Keywords, type Schema } from './keywords.ts';
import { nodesOf } from './nodes.ts';
import { anyMemberPath, elementPath, memberPath, rootPath } from '../path.ts';
import { refused } from '../../../base/define/refused.ts';

/** The limits of a schema with every `$ref` expanded. */
export const describeLimits = { depth: 128, paths: 1_000, schemas: 10_000, text: 524_288 };

const isDefined = <Value>(value: Value | undefined): value is Value => value !== undefined;

/** Returns the positional elements of an array, and the schema of the others, in either spelling. */
const tupleOf = ({ prefixItems, items, additionalItems }: Keywords) =>
  Array.isArray(items) ? { tuple: items, rest: additionalItems } : { tuple: prefixItems ?? [], rest: items };

/** Returns the lists of alternative schemas. */
const alternativesOf = (keywords: Keywords): readonly (readonly Schema[])[] => {
  const { anyOf, oneOf, dependentSchemas = {} } = keywords;
  const conditional = keywords.if === undefined ? undefined : [keywords.then ?? true, keywords.else ?? true];
  const dependent = Object.values(dependentSchemas).map((schema) => [schema, true]);
  return [anyOf, oneOf, conditional, ...dependent].filter(isDefined);
};

const nothing = {
  constraints: {},
  isRequired: false,
  title: undefined,
  descriptions: [],
  concepts: [],
  predicate: undefined,
  unit: undefined,
};

const entryAt = (path: string, parent: string | undefined, entry: Partial<Entry>): Entries =>
  new Map([[path, { ...nothing, parent, ...entry }]]);

/** Returns the entries of each path of a JSON Schema, in document order, the payload first. */
export function describe(root: JsonObject): Entries {
  const nodes = nodesOf(root);
  /** The schemas from the root to this one, with their paths. */
  const open = new Map<JsonObject, string>();
  const paths = new Set<string>();
  let schemas = 0;
  let text = 0;

  const checkLimits = (path: string): void => {
    paths.add(path);
    schemas += 1;
    const spent = { depth: open.size, paths: paths.size, schemas, text };
    for (const unit of ['depth', 'paths', 'schemas', 'text'] as const) {
      if (spent[unit] <= describeLimits[unit]) continue;
      const at = nodes.get([...open.keys()].at(-1) ?? root)?.at ?? '';
      const message = `it unfolds too far, at ${shownPointer(path)}`;
      throw refused([{ path: at, message }], `${describeLimits[unit]} in all (${unit})`);
    }
  };

  const constraintsOf = (keywords: Keywords, path: string): Constraints => {
    const { propertyNames, patternProperties, not } = keywords;
    const { tuple, rest } = tupleOf(keywords);
    const literal = Object.fromEntries(Object.entries(keywords).filter(([key]) => valueKeywords.has(key)));
    const names = propertyNames && entriesOf(propertyNames, path).get(path)?.constraints;
    const patterns = Object.keys(patternProperties ?? {});
    const isClosed = [keywords.additionalProperties, keywords.unevaluatedProperties].includes(false);
    const isSimple = typeof not === 'object' && Object.keys(not).every((key) => valueKeywords.has(key));
    const constraints = {
      ...literal,
      ...(rest === false && { maxItems: Math.min(keywords.maxItems ?? Infinity, tuple.length) }),
      ...(names && Object.keys(names).length > 0 && { propertyNames: names }),
      ...(patterns.length > 0 && { namePatterns: patterns }),
      ...(isClosed && { closed: true }),
      ...(isSimple && { not }),
    };
    return keywords.nullable === true ? withNull(constraints) : constraints;
  };

  const requiredMember = (parent: string, name: string): Entries => {
    const path = memberPath(parent, name);
    checkLimits(path);
    return entryAt(path, parent, { isRequired: true });
  };

  const membersOf = (keywords: Keywords, path: string): readonly Entries[] => {
    const { properties = {}, required = [], patternProperties = {} } = keywords;
    const others = [
      ...Object.values(patternProperties),
      keywords.additionalProperties,
      keywords.unevaluatedProperties,
    ].filter((schema): schema is Schema => schema !== undefined && schema !== false);
    const anyMember = anyMemberPath(path);
    return [
      ...Object.entries(properties).map(([name, schema]) => entriesOf(schema, memberPath(path, name), path)),
      ...required.map((name) => requiredMember(path, name)),
      mergeAlternatives(others.map((schema) => entriesOf(schema, anyMember, path))),
    ];
  };

  const elementsOf = (keywords: Keywords, path: string): readonly Entries[] => {
    const { tuple, rest = keywords.unevaluatedItems ?? false } = tupleOf(keywords);
    return [
      ...tuple.map((schema, index) => entriesOf(schema, elementPath(path, index), path)),
      ...(rest === false ? [] : [entriesOf(rest, elementPath(path), path)]),
    ];
  };

  const partsOf = (schema: JsonObject, path: string, parent: string | undefined): readonly Entries[] => {
    const node = nodes.get(schema);
    if (node === undefined) return [];
    const { keywords, target } = node;
    const { title, description, concepts = [], predicate, unit, allOf = [] } = keywords;
    const descriptions = description === undefined ? [] : [description];
    const constraints = constraintsOf(keywords, path);
    const own = { constraints, title, descriptions, concepts, predicate, unit };
    text += JSON.stringify(own).length;
    return [
      entryAt(path, parent, own),
      ...[target, ...allOf].filter(isDefined).map((each) => entriesOf(each, path, parent)),
      ...alternativesOf(keywords).map((each) =>
        mergeAlternatives(each.map((schema) => entriesOf(schema, path, parent))),
      ),
      ...membersOf(keywords, path),
      ...elementsOf(keywords, path),
    ];
  };

  const entriesOf = (schema: Schema, path: string, parent?: string): Entries => {
    checkLimits(path);
    if (typeof schema === 'boolean') return entryAt(path, parent, { constraints: schema ? {} : { not: {} } });
    const repeats = open.get(schema);
    if (repeats !== undefined) return entryAt(path, parent, { constraints: { repeats } });
    open.set(schema, path);
    const entries = mergeAll(partsOf(schema, path, parent));
    open.delete(schema);
    return entries;
  };

  return entriesOf(root, rootPath);
}
