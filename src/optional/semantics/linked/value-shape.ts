import { isObject } from '../../../base/boundary/is-object.ts';
import { isSchema } from '../derive/keywords.ts';
import type { JsonObject } from '../../../../schema/formats.ts';
import { combineShapes, isCount, kindShape, kindsNamed, list, renamed, type Shape } from './kinds.ts';
import { isScalar, valueOf } from './literal.ts';
import { portablePattern } from './pattern.ts';

/** Annotations, which no value can violate. */
const notes = ['default', 'deprecated', 'readOnly', 'writeOnly'];

const areScalars = (values: unknown): boolean => Array.isArray(values) && values.every(isScalar);

const areSchemas = (values: unknown): boolean =>
  Array.isArray(values) && values.length > 0 && values.every(isSchema);

const literalsOf = (constraints: JsonObject): readonly Shape[] =>
  [constraints['enum'], 'const' in constraints ? [constraints['const']] : undefined]
    .filter((values) => Array.isArray(values))
    .filter((values) => values.every(isScalar))
    .map((values) => ({ 'sh:in': list(values.map(valueOf)) }));

/**
 * Returns whether a shape expresses a keyword of the value itself. Keywords with subschemas are handled
 * separately.
 */
function isExpressible(keyword: string, value: unknown): boolean {
  if (notes.includes(keyword)) return true;
  const known = renamed.get(keyword);
  if (known !== undefined) return known.takes(value);
  switch (keyword) {
    case 'type':
      return kindsNamed(value) !== undefined;
    case 'minItems':
    case 'maxItems':
      return isCount(value);
    case 'pattern':
      return typeof value === 'string' && portablePattern(value) !== undefined;
    case 'enum':
      return areScalars(value);
    case 'const':
      return isScalar(value);
    case 'anyOf':
    case 'allOf':
      return areSchemas(value);
    case 'not':
      return true;
    default:
      return false;
  }
}

/** The shape of a value, and the keywords that it omits. */
export interface ValueShape {
  readonly shape: Shape;
  readonly unsaid: readonly string[];
}

/**
 * Returns the shape of JSON Schema constraints. An omission can only make it accept more: a negation with an
 * omission inside is omitted as a whole.
 */
export function shapeOf(
  constraints: unknown,
  insides: Partial<Record<'array' | 'object', readonly Shape[]>> = {},
): ValueShape {
  if (constraints === false) return { shape: { 'sh:not': {} }, unsaid: [] };
  if (!isObject(constraints)) {
    return { shape: kindShape({}, insides), unsaid: constraints === true ? [] : ['constraints'] };
  }
  const nested = (keyword: string): readonly ValueShape[] => {
    const value = constraints[keyword];
    return Array.isArray(value) && areSchemas(value) ? value.map((each) => shapeOf(each)) : [];
  };
  const [any, every] = [nested('anyOf'), nested('allOf')];
  const not = 'not' in constraints ? shapeOf(constraints['not']) : undefined;
  const isNegated = not !== undefined && not.unsaid.length === 0;
  const shape = combineShapes([
    kindShape(constraints, insides),
    ...literalsOf(constraints),
    ...(any.length > 0 ? [{ 'sh:or': list(any.map((each) => each.shape)) }] : []),
    ...every.map((each) => each.shape),
    ...(isNegated ? [{ 'sh:not': not.shape }] : []),
  ]);
  const unsaid = [
    ...Object.keys(constraints).filter((keyword) => !isExpressible(keyword, constraints[keyword])),
    ...(not === undefined || isNegated ? [] : ['not']),
    ...[...any, ...every].flatMap((each) => each.unsaid),
  ];
  return { shape, unsaid: [...new Set(unsaid)] };
}
