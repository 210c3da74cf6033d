import type { z } from 'zod';
import { isDigest } from '../../base/canonical/digest.ts';
import { plansOf, type Member, type PlanOf, type Rule, type Shape } from './checked-plan.ts';
import { valueAt } from './checked-text.ts';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];
type DefOf<Type extends Def['type']> = Extract<Def, { readonly type: Type }>;
type Check = z.core.$ZodChecks['_zod']['def'] | z.core.$ZodCustomDef;
type Test<Value> = (value: Value) => boolean;

/** Accepts nothing: the rule of each part of a schema that is not known here. */
const nothing: Rule = {
  isNull: false,
  texts: null,
  pattern: null,
  isString: null,
  isSafe: true,
  isNumber: null,
  isLength: null,
  item: null,
  planOf: null,
};

const all = (): boolean => true;

/** Accepts all plain data. */
const anything: { -readonly [Name in keyof Rule]: Rule[Name] } = {
  ...nothing,
  isNull: true,
  texts: new Map([true, false].map((value) => [value, String(value)])),
  isString: all,
  isSafe: false,
  isNumber: all,
  isLength: all,
};
anything.item = anything;
anything.planOf = plansOf({ members: new Map(), others: anything, isKey: all });

const checksOf = (def: Def): readonly Check[] => [
  ...('check' in def ? [def as Check] : []), // a format is its own check
  ...(def.checks ?? []).map(({ _zod: check }) => check.def as Check),
];

/** Returns one test of all checks of a schema; `null` if one of them is not known here. */
const testOf = <Value>(def: Def, known: (check: Check) => Test<Value> | null): Test<Value> | null => {
  const tests: Test<Value>[] = [];
  for (const check of checksOf(def)) {
    const test = known(check);
    if (test === null) return null;
    tests.push(test);
  }
  const [first = all, ...rest] = tests;
  return rest.length === 0 ? first : (value) => tests.every((test) => test(value));
};

const numberTest = (def: Check): Test<number> | null => {
  if (def.check === 'number_format') return def.format === 'safeint' ? Number.isSafeInteger : null;
  if (def.check === 'greater_than')
    return (value) => value > Number(def.value) || (def.inclusive && value === def.value);
  if (def.check === 'less_than')
    return (value) => value < Number(def.value) || (def.inclusive && value === def.value);
  return null;
};

const lengthTest = (def: Check): Test<number> | null => {
  if (def.check === 'min_length') return (length) => length >= def.minimum;
  return def.check === 'max_length' ? (length) => length <= def.maximum : null;
};

/** The formats of a string that their pattern decides alone. */
const formats: ReadonlySet<string> = new Set(['regex', 'guid', 'datetime']);

/** Returns the pattern that decides on a string alone; `null` for another check. */
const patternOf = (def: Check | undefined): RegExp | null => {
  if (def?.check !== 'string_format' || def.pattern === undefined || !formats.has(def.format)) return null;
  return def.pattern.global || def.pattern.sticky ? null : def.pattern;
};

const stringTest = (def: Check): Test<string> | null => {
  if (def.check === 'custom') {
    const { fn } = def;
    return typeof fn === 'function' ? (value) => Boolean(fn(value)) : null;
  }
  const isLength = lengthTest(def);
  if (isLength !== null) return ({ length }) => isLength(length);
  const pattern = patternOf(def);
  return pattern && ((value) => pattern.test(value));
};

/** Returns whether JSON writes what a check accepts without an escape. */
const isSafe = (def: Check): boolean =>
  def.check === 'custom'
    ? def.fn === isDigest
    : def.check === 'string_format' && (def.format === 'guid' || def.format === 'datetime');

const stringRule = (def: DefOf<'string'>): Rule => {
  const checks = checksOf(def);
  const isString = testOf(def, stringTest);
  const pattern = checks.length === 1 ? patternOf(checks[0]) : null;
  return isString === null ? nothing : { ...nothing, pattern, isString, isSafe: checks.some(isSafe) };
};

/** Returns the rule of a few values. */
const valuesRule = (values: Iterable<unknown>): Rule => ({
  ...nothing,
  texts: new Map(Array.from(values, (value) => [value, JSON.stringify(value)])),
});

const listRule = (def: DefOf<'array'>): Rule => {
  const isLength = testOf(def, lengthTest);
  return isLength === null ? nothing : { ...nothing, isLength, item: ruleOf(def.element) };
};

const memberOf = (schema: Schema): Member => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'optional'
    ? { rule: ruleOf(def.innerType), isOptional: true }
    : { rule: ruleOf(schema), isOptional: false };
};

const recordShape = ({ keyType, valueType, mode, partial }: DefOf<'record'>): Shape | null => {
  const keys = (keyType as z.core.$ZodTypes)._zod.def;
  const names =
    keys.type === 'enum' && partial === true ? new Set<unknown>(Object.values(keys.entries)) : null;
  const isKey =
    keys.type === 'string' ? testOf(keys, stringTest) : names && ((key: string) => names.has(key));
  return mode === 'loose' || isKey === null ? null : { members: new Map(), others: ruleOf(valueType), isKey };
};

/** Returns the shape of the objects that a schema accepts; `null` if it is not known here. */
export const shapeOf = (schema: Schema): Shape | null => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (checksOf(def).length > 0) return null;
  if (def.type === 'record') return recordShape(def);
  if (def.type !== 'object') return null;
  const { shape, catchall } = def;
  const others = catchall === undefined ? anything : ruleOf(catchall); // `z.object` accepts others, and drops them
  return {
    members: new Map(Object.entries(shape).map(([key, member]) => [key, memberOf(member)])),
    others: others === nothing ? null : others,
    isKey: all,
  };
};

const objectRule = (schema: Schema): Rule => {
  const shape = shapeOf(schema);
  return shape === null ? nothing : { ...nothing, planOf: plansOf(shape) };
};

/** Returns the rule of objects whose type one of their members names. */
const taggedRule = ({ options, discriminator }: z.core.$ZodDiscriminatedUnionDef): Rule => {
  const plans = new Map<unknown, PlanOf | null>();
  for (const option of options) {
    const { def } = (option as z.core.$ZodTypes)._zod;
    const tag =
      def.type === 'object' ? (def.shape[discriminator] as z.core.$ZodTypes | undefined) : undefined;
    if (tag?._zod.def.type !== 'literal') return nothing;
    const { planOf } = objectRule(option);
    for (const value of tag._zod.def.values) plans.set(value, planOf);
  }
  const planOf: PlanOf = (keys, container) =>
    plans.get(valueAt(container, discriminator))?.(keys, container) ?? null;
  return { ...nothing, planOf };
};

/** Returns the rule of what either accepts; of two patterns, ranges or lists it knows the first. */
const either = (one: Rule, other: Rule): Rule => {
  const { pattern, isString, isSafe: safe } = one.isString === null ? other : one;
  const { isLength, item } = one.item === null ? other : one;
  const [plan, otherPlan] = [one.planOf, other.planOf];
  const planOf: PlanOf = (keys, container) => plan?.(keys, container) ?? otherPlan?.(keys, container) ?? null;
  return {
    isNull: one.isNull || other.isNull,
    texts: new Map([...(one.texts ?? []), ...(other.texts ?? [])]),
    pattern,
    isString,
    isSafe: safe,
    isNumber: one.isNumber ?? other.isNumber,
    isLength,
    item,
    planOf,
  };
};

const unionRule = (def: DefOf<'union'>): Rule => {
  if ('discriminator' in def) return taggedRule(def as z.core.$ZodDiscriminatedUnionDef);
  return def.inclusive === false ? nothing : def.options.map(ruleOf).reduce(either, nothing);
};

/** Returns the values that a schema accepts, as far as it is known here: never more than it accepts. */
export const ruleOf = (schema: Schema): Rule => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'string') return stringRule(def);
  if (def.type === 'number') return { ...nothing, isNumber: testOf(def, numberTest) };
  if (def.type === 'array') return listRule(def);
  if (checksOf(def).length > 0) return nothing;
  if (def.type === 'unknown') return anything;
  if (def.type === 'boolean') return valuesRule([true, false]);
  if (def.type === 'literal') return valuesRule(def.values);
  if (def.type === 'enum') return valuesRule(Object.values(def.entries));
  if (def.type === 'nullable') return { ...ruleOf(def.innerType), isNull: true };
  return def.type === 'union' ? unionRule(def) : objectRule(schema);
};
