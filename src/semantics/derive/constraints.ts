import { isDeepStrictEqual } from 'node:util';
import { canonicalize } from '../../canonical/canonicalize.ts';
import type { JsonObject } from '../../../schema/formats.ts';

/** What is known of the value at one path, in JSON Schema's keywords. */
export type Constraints = JsonObject;

const unique = <Value>(values: readonly Value[]): readonly Value[] =>
  values.length < 2 ? values : [...new Map(values.map((value) => [canonicalize(value), value])).values()];

/** What holds where all of them hold; those that cannot stand side by side stand under `allOf`. */
export function all(list: readonly Constraints[]): Constraints {
  const distinct = unique(list.filter((constraints) => Object.keys(constraints).length > 0));
  const merged: Constraints = {};
  for (const [key, value] of distinct.flatMap((constraints) => Object.entries(constraints))) {
    if (key in merged && !isDeepStrictEqual(merged[key], value)) return { allOf: distinct };
    merged[key] = value;
  }
  return merged;
}

const literalKeys = new Set(['type', 'const', 'enum']);

/** The only values that fit, where nothing else is said of them. */
function literalsOf(constraints: Constraints): readonly unknown[] | undefined {
  if (!Object.keys(constraints).every((key) => literalKeys.has(key))) return undefined;
  if ('const' in constraints && !('enum' in constraints)) return [constraints['const']];
  if ('enum' in constraints && !('const' in constraints)) return constraints['enum'] as readonly unknown[];
  return constraints['type'] === 'null' ? [null] : undefined;
}

const typesOf = ({ type }: Constraints): readonly unknown[] => (type === undefined ? [] : [type].flat());

/** Whether an object can fit. */
export const takesObjects = (constraints: Constraints): boolean => {
  const literals = literalsOf(constraints);
  if (literals?.every((value) => typeof value !== 'object' || value === null) === true) return false;
  const types = typesOf(constraints);
  return types.length === 0 || types.includes('object');
};

/** The same, with null among its types where it has any. */
export function withNull(constraints: Constraints): Constraints {
  const types = typesOf(constraints);
  const takesNull = types.length === 0 || types.includes('null');
  return takesNull ? constraints : { ...constraints, type: [...types, 'null'] };
}

/** They speak of null as well, so that one more type does not let it in. */
const general = ['not', 'allOf', 'anyOf', 'const', 'enum', 'repeats'];

/** What holds where one of them holds: literals as one `enum`, null as one more type, what is left under `anyOf`. */
export function either(list: readonly Constraints[]): Constraints {
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
