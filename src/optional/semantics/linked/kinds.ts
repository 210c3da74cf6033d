import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../../../../schema/formats.ts';
import { isScalar, valueOf } from './literal.ts';
import { portablePattern } from './pattern.ts';

/** A part of a shape, in JSON-LD. */
export type Shape = Readonly<Record<string, unknown>>;

export const iri = (id: string): Shape => ({ '@id': id });
export const list = (members: readonly unknown[]): Shape => ({ '@list': members });
export const rest = { 'sh:zeroOrMorePath': iri('rdf:rest') };

/** Returns a path of one or several steps. SHACL has no path of one element. */
export const pathOf = (...steps: readonly Shape[]): Shape => {
  const [only, ...more] = steps;
  return only !== undefined && more.length === 0 ? only : list(steps);
};

export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isNumber = (value: unknown): boolean => typeof value === 'number';

/** Keywords with a SHACL equivalent, and the conversion of their values. */
export const renamed: ReadonlyMap<
  string,
  { readonly name: string; readonly takes: (value: unknown) => boolean }
> = new Map([
  ['minimum', { name: 'sh:minInclusive', takes: isNumber }],
  ['maximum', { name: 'sh:maxInclusive', takes: isNumber }],
  ['exclusiveMinimum', { name: 'sh:minExclusive', takes: isNumber }],
  ['exclusiveMaximum', { name: 'sh:maxExclusive', takes: isNumber }],
  ['minLength', { name: 'sh:minLength', takes: isCount }],
  ['maxLength', { name: 'sh:maxLength', takes: isCount }],
]);

type Kind = 'null' | 'boolean' | 'string' | 'integer' | 'double' | 'decimal' | 'array' | 'object';

const kinds: readonly Kind[] = [
  'null',
  'boolean',
  'string',
  'integer',
  'double',
  'decimal',
  'array',
  'object',
];

const kindsOf: ReadonlyMap<string, readonly Kind[]> = new Map<string, readonly Kind[]>([
  ['null', ['null']],
  ['boolean', ['boolean']],
  ['string', ['string']],
  ['integer', ['integer']],
  ['number', ['integer', 'double', 'decimal']],
  ['array', ['array']],
  ['object', ['object']],
]);

const numeric = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];

/** The keywords that apply to each kind of value. */
const keywordsOf: Readonly<Record<Kind, readonly string[]>> = {
  null: [],
  boolean: [],
  string: ['minLength', 'maxLength', 'pattern'],
  integer: numeric,
  double: numeric,
  decimal: numeric,
  array: ['minItems', 'maxItems'],
  object: [],
};

const isCell = (count: Shape): Shape => ({
  'sh:property': { 'sh:path': iri('rdf:first'), ...count },
});

const typeOf: Readonly<Record<Kind, Shape>> = {
  null: { 'sh:datatype': iri('rdf:JSON') },
  boolean: { 'sh:datatype': iri('xsd:boolean') },
  string: { 'sh:datatype': iri('xsd:string') },
  integer: { 'sh:datatype': iri('xsd:integer') },
  double: { 'sh:datatype': iri('xsd:double') },
  decimal: { 'sh:datatype': iri('xsd:decimal') },
  array: { 'sh:or': list([{ 'sh:in': list([iri('rdf:nil')]) }, isCell({ 'sh:minCount': 1 })]) },
  object: { 'sh:nodeKind': iri('sh:BlankNode'), ...isCell({ 'sh:maxCount': 0 }) },
};

/** Properties that a shape may repeat. */
const repeatable = ['sh:property', 'sh:or', 'sh:and', 'sh:not'];

/** Returns a shape that combines several. */
export function combineShapes(parts: readonly Shape[]): Shape {
  const keys = parts.flatMap((part) => Object.keys(part));
  const single = keys.filter((key) => !repeatable.includes(key));
  if (new Set(single).size < single.length) return { 'sh:and': list(parts) };
  const merged: Record<string, unknown> = {};
  for (const [key, value] of parts.flatMap((part) => Object.entries(part))) {
    merged[key] = key in merged ? [merged[key], value].flat() : value;
  }
  return merged;
}

/** Returns the shape of an array's length, counted in list cells. */
const lengthOf = ({ minItems, maxItems }: JsonObject): Shape =>
  isCount(minItems) || isCount(maxItems)
    ? {
        'sh:property': {
          'sh:path': rest,
          ...(isCount(minItems) && { 'sh:minCount': Number(minItems) + 1 }),
          ...(isCount(maxItems) && { 'sh:maxCount': Number(maxItems) + 1 }),
        },
      }
    : {};

function kindConstraints(kind: Kind, constraints: JsonObject): Shape {
  const parts: Record<string, unknown> = {};
  for (const keyword of keywordsOf[kind]) {
    const known = renamed.get(keyword);
    const value = constraints[keyword];
    if (known?.takes(value) === true && isScalar(value)) parts[known.name] = valueOf(value);
  }
  const pattern =
    kind === 'string' &&
    typeof constraints['pattern'] === 'string' &&
    portablePattern(constraints['pattern']);
  return {
    ...parts,
    ...(typeof pattern === 'string' && { 'sh:pattern': pattern }),
    ...(kind === 'array' && lengthOf(constraints)),
  };
}

/** Returns the kinds of a JSON Schema `type`; `undefined` if it is invalid. */
export function kindsNamed(type: unknown): readonly Kind[] | undefined {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  const named = types.map((each) => (typeof each === 'string' ? kindsOf.get(each) : undefined));
  if (named.length === 0 || named.includes(undefined)) return undefined;
  return [...new Set(named.flatMap((kinds) => kinds ?? []))];
}

/** Returns the shape of a value by kind, with the shapes of its contents. */
export function kindShape(constraints: JsonObject, insides: Partial<Record<Kind, readonly Shape[]>>): Shape {
  const named = kindsNamed(constraints['type']);
  const branches = (named ?? kinds).map((kind) => ({
    kind,
    parts: [kindConstraints(kind, constraints), ...(insides[kind] ?? [])].filter(
      (part) => Object.keys(part).length > 0,
    ),
  }));
  if (named === undefined && branches.every((branch) => branch.parts.length === 0)) return {};
  const [first, ...others] = branches;
  if (first === undefined) return {};
  if (others.length === 0) return combineShapes([typeOf[first.kind], ...first.parts]);
  const isCommon = others.every(({ parts }) => isDeepStrictEqual(parts, first.parts));
  const shapes = branches.map(({ kind, parts }) => combineShapes([typeOf[kind], ...(isCommon ? [] : parts)]));
  return combineShapes([{ 'sh:or': list(shapes) }, ...(isCommon ? first.parts : [])]);
}
