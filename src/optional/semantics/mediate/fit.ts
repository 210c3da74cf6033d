import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../base/boundary/is-object.ts';
import { canonicalize } from '../../../base/canonical/canonicalize.ts';
import { causeOf, CharterError } from '../../../base/errors.ts';
import type { Constraints } from '../derive/constraints.ts';
import type { Place } from './places.ts';

/** A conversion of a value. */
export interface ValueConversion {
  readonly kind: 'format' | 'unit';
  readonly from: string;
  readonly to: string;
}

/** Converts units of measure. Implement it with a library. */
export interface Units {
  /** Returns the value in another unit; `undefined` for unknown or incompatible units. */
  readonly convert: (value: number, from: string, to: string) => number | undefined;
}

/** Whether values of one path fit another, and the conversions that they need. */
export interface Fit {
  readonly conversion: ValueConversion | null;
  /** Whether every source value fits, as far as both schemas say. */
  readonly isWhole: boolean;
  /** The shared text format: an email address, a URI, a date. */
  readonly format: string | undefined;
}

type Value = Pick<Place, 'constraints' | 'inner' | 'unit'>;

const everyType = ['string', 'number', 'boolean', 'object', 'array'] as const;
type TypeName = (typeof everyType)[number];

const typeOf = (value: unknown): readonly TypeName[] => {
  if (Array.isArray(value)) return ['array'];
  const type = typeof value;
  return value !== null && (everyType as readonly string[]).includes(type) ? [type as TypeName] : [];
};

const listAt = (constraints: Constraints, key: string): readonly Constraints[] => {
  const list = constraints[key];
  return Array.isArray(list) ? list.filter(isObject) : [];
};

/** Returns the only allowed literals. */
const literalsOf = (constraints: Constraints): readonly unknown[] | undefined => {
  if ('const' in constraints) return [constraints['const']];
  const { enum: literals } = constraints;
  return Array.isArray(literals) ? literals : undefined;
};

/** Returns the allowed types without null, which means a missing value. */
const typesOf = (constraints: Constraints): ReadonlySet<TypeName> => {
  const { type } = constraints;
  const named =
    type === undefined ? everyType : [type].flat().map((one) => (one === 'integer' ? 'number' : one));
  const literals = literalsOf(constraints)?.flatMap(typeOf);
  const choices = listAt(constraints, 'anyOf').flatMap((one) => [...typesOf(one)]);
  const all = listAt(constraints, 'allOf').map(typesOf);
  const fits = (name: TypeName): boolean =>
    named.includes(name) &&
    (literals?.includes(name) ?? true) &&
    (choices.length === 0 || choices.includes(name)) &&
    all.every((types) => types.has(name));
  return new Set(everyType.filter(fits));
};

/** Returns the value of a keyword that always applies. Agreeing alternatives count as one. */
const keywordValue = (constraints: Constraints, key: string): unknown => {
  if (key in constraints) return constraints[key];
  for (const one of listAt(constraints, 'allOf')) {
    const value = keywordValue(one, key);
    if (value !== undefined) return value;
  }
  const value = listAt(constraints, 'anyOf')
    .filter((one) => one['type'] !== 'null')
    .map((one) => keywordValue(one, key));
  return value.length > 0 && value.every((one) => isDeepStrictEqual(one, value[0])) ? value[0] : undefined;
};

const textAt = (constraints: Constraints, key: string): string | undefined => {
  const value = keywordValue(constraints, key);
  return typeof value === 'string' ? value : undefined;
};

/** Returns whether all source literals are allowed; `null` if none is. */
const literalFit = (from: Constraints, to: Constraints): boolean | null => {
  const given = literalsOf(from);
  const taken = literalsOf(to);
  if (taken === undefined) return true;
  if (given === undefined) return false;
  const known = new Set(taken.map((value) => canonicalize(value)));
  const shared = given.filter((value) => known.has(canonicalize(value)));
  return shared.length === 0 ? null : shared.length === given.filter((value) => value !== null).length;
};

const least = (constraints: Constraints): number =>
  Number(keywordValue(constraints, 'minimum') ?? keywordValue(constraints, 'exclusiveMinimum') ?? -Infinity);
const most = (constraints: Constraints): number =>
  Number(keywordValue(constraints, 'maximum') ?? keywordValue(constraints, 'exclusiveMaximum') ?? Infinity);

const overlaps = (from: Constraints, to: Constraints): boolean =>
  least(from) <= most(to) && least(to) <= most(from);

/** The lossless conversions between formats. */
const formats: readonly (readonly [string, string])[] = [
  ['date-time', 'date'],
  ['date-time', 'time'],
];
const sameFormats: readonly ReadonlySet<string>[] = [
  new Set(['uri', 'uri-reference', 'iri', 'iri-reference', 'url']),
  new Set(['email', 'idn-email']),
  new Set(['hostname', 'idn-hostname']),
];

const isSame = (one: string, other: string): boolean =>
  one === other || sameFormats.some((formats) => formats.has(one) && formats.has(other));

const whole = { conversion: null, isWhole: true, format: undefined };

function textFit(from: Constraints, to: Constraints): Fit | null {
  const one = textAt(from, 'format');
  const other = textAt(to, 'format');
  if (other === undefined) return whole;
  if (one === undefined) return { ...whole, isWhole: false };
  if (isSame(one, other)) return { ...whole, format: other };
  const isMade = formats.some(([made, of]) => made === one && of === other);
  return isMade ? { ...whole, conversion: { kind: 'format', from: one, to: other } } : null;
}

const isBounded = (constraints: Constraints): boolean =>
  Number.isFinite(least(constraints)) && Number.isFinite(most(constraints));

/** Returns whether two scales with both bounds differ: four of five stars are not four of ten. */
const isRescaled = (from: Constraints, to: Constraints): boolean =>
  isBounded(to) && (least(from) !== least(to) || most(from) !== most(to));

/** Returns the value in another unit. Throws `definition_invalid` if `units` throws. */
export function convertedBy(units: Units, value: number, from: string, to: string): number | undefined {
  try {
    const converted = units.convert(value, from, to);
    return typeof converted === 'number' && Number.isFinite(converted) ? converted : undefined;
  } catch (cause) {
    const issues = [{ path: '/convert', message: `it threw: ${causeOf(cause)}` }];
    const message = `units: convert threw: ${causeOf(cause)}; accepted: a number, or undefined for units that it does not know`;
    throw new CharterError('definition_invalid', message, { definition: 'units', issues }, { cause });
  }
}

function numberFit(from: Value, to: Value, units: Units | undefined): Fit | null {
  if (from.unit === to.unit) {
    if (!overlaps(from.constraints, to.constraints)) return null;
    return { ...whole, isWhole: !isRescaled(from.constraints, to.constraints) };
  }
  if (from.unit === undefined || to.unit === undefined) return { ...whole, isWhole: false };
  if (units === undefined || convertedBy(units, 1, from.unit, to.unit) === undefined) return null;
  return { ...whole, conversion: { kind: 'unit', from: from.unit, to: to.unit } };
}

const isNumber = (...kinds: readonly ReadonlySet<TypeName>[]): boolean =>
  kinds.every((types) => types.size === 1 && types.has('number'));

/** Returns the conversion between numbers and text. A text that is not a number fails later. */
function acrossFit(given: ReadonlySet<TypeName>, taken: ReadonlySet<TypeName>, to: Constraints): Fit | null {
  if (given.has('number') && taken.has('string') && textAt(to, 'format') === undefined)
    return { ...whole, conversion: { kind: 'format', from: 'number', to: 'string' } };
  if (given.has('string') && taken.has('number'))
    return {
      isWhole: false,
      format: undefined,
      conversion: { kind: 'format', from: 'string', to: 'number' },
    };
  return null;
}

/** Returns how values of one path fit another; `null` if none does. */
export function fitOf(from: Value, to: Value, units?: Units): Fit | null {
  // a recursive value has no leaves
  if ('repeats' in from.constraints || 'repeats' in to.constraints) return null;
  const given = typesOf(from.constraints);
  const taken = typesOf(to.constraints);
  const shared = [...given].filter((type) => taken.has(type));
  const literal = literalFit(from.constraints, to.constraints);
  if (literal === null) return null;
  const [only] = shared;
  if (from.unit !== to.unit && from.unit !== undefined && to.unit !== undefined && !isNumber(given, taken))
    return null;
  let fit: Fit | null = whole;
  if (only === undefined) fit = acrossFit(given, taken, to.constraints);
  else if (shared.includes('string') && !shared.includes('number'))
    fit = textFit(from.constraints, to.constraints);
  else if (shared.length === 1 && only === 'number') fit = numberFit(from, to, units);
  return fit && { ...fit, isWhole: fit.isWhole && literal && isDeepStrictEqual(from.inner, to.inner) };
}

/** Returns the only allowed value, if there is just one. It needs no source. */
export const onlyValue = (constraints: Constraints): unknown => {
  const literals = literalsOf(constraints);
  return literals?.length === 1 ? literals[0] : undefined;
};
