import { isDeepStrictEqual } from 'node:util';
import { canonicalize } from '../../../base/canonical/canonicalize.ts';
import type { JsonObject } from '../../../../schema/formats.ts';

/** The constraints of a path, as JSON Schema keywords. */
export type Constraints = JsonObject;

const unique = <Value>(values: readonly Value[]): readonly Value[] =>
  values.length < 2 ? values : [...new Map(values.map((value) => [canonicalize(value), value])).values()];

/** Returns the conjunction. Keywords that cannot be merged are placed under `allOf`. */
export function conjunction(list: readonly Constraints[]): Constraints {
  const distinct = unique(list.filter((constraints) => Object.keys(constraints).length > 0));
  const merged: Constraints = {};
  for (const [key, value] of distinct.flatMap((constraints) => Object.entries(constraints))) {
    if (key in merged && !isDeepStrictEqual(merged[key], value)) return { allOf: distinct };
    merged[key] = value;
  }
  return merged;
}

const literalKeys = new Set(['type', 'const', 'enum']);

/** Returns the allowed literals; `undefined` if other keywords also apply. */
function literalsOf(constraints: Constraints): readonly unknown[] | undefined {
  if (!Object.keys(constraints).every((key) => literalKeys.has(key))) return undefined;
  if ('const' in constraints && !('enum' in constraints)) return [constraints['const']];
  if ('enum' in constraints && !('const' in constraints)) return constraints['enum'] as readonly unknown[];
  return constraints['type'] === 'null' ? [null] : undefined;
}

const typesOf = ({ type }: Constraints): readonly unknown[] => (type === undefined ? [] : [type].flat());

/** Returns whether an object can be valid. */
export const takesObjects = (constraints: Constraints): boolean => {
  const literals = literalsOf(constraints);
  if (literals?.every((value) => typeof value !== 'object' || value === null) === true) return false;
  const types = typesOf(constraints);
  return types.length === 0 || types.includes('object');
};

/** Returns the constraints with null added to the types, if there are any. */
export function withNull(constraints: Constraints): Constraints {
  const types = typesOf(constraints);
  const takesNull = types.length === 0 || types.includes('null');
  return takesNull ? constraints : { ...constraints, type: [...types, 'null'] };
}

/** Keywords that also constrain null, so that adding it to the types has no effect. */
const general = ['not', 'allOf', 'anyOf', 'const', 'enum', 'repeats'];

/** Returns the disjunction: literals as one `enum`, null as a type, others under `anyOf`. */
export function disjunction(list: readonly Constraints[]): Constraints {
  const distinct = unique(list);
  const [first = {}] = distinct;
  if (distinct.length < 2) return first;
  if (distinct.some((constraints) => Object.keys(constraints).length === 0)) return {};
  const literals = distinct.map(literalsOf);
  if (literals.every((values) => values !== undefined)) {
    const isOneType = distinct.every(({ type }) => type !== undefined && type === first['type']);
    return { ...(isOneType && { type: first['type'] }), enum: unique(literals.flat()) };
  }
  const rest = distinct.filter((constraints) => !isDeepStrictEqual(literalsOf(constraints), [null]));
  const [only] = rest;
  const isNullable = rest.length === 1 && only !== undefined && !general.some((key) => key in only);
  return isNullable ? withNull(only) : { anyOf: distinct };
}
