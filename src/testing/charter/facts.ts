import type { z } from 'zod';
import { Fact, type Context, type FactType } from '../../../machines/index.ts';
import type { Partly, Place } from './names.ts';
import { valuesOf, type Field } from './values.ts';
import type { World } from './world.ts';

/** Fields that others are chosen by; what a person brings comes after what the person answers. */
const first: readonly Field[] = [
  'request',
  'attempt',
  'call',
  'calls',
  'question',
  'feedback',
  'effect',
  'of',
  'code',
];

interface Shape {
  readonly type: FactType;
  readonly fields: readonly (readonly [Field, z.ZodType])[];
}

const orderOf = (type: FactType, field: Field): number =>
  !first.includes(field) || (type === 'human.responded' && field === 'call')
    ? first.length
    : first.indexOf(field);

/** The fields of every fact, as its schema has them. */
const shapes: readonly Shape[] = Fact.options.map(({ shape }) => {
  const { type, ...fields } = shape;
  const named = Object.entries(fields) as unknown as readonly (readonly [Field, z.ZodType])[];
  const of = type.value;
  return { type: of, fields: named.toSorted(([one], [other]) => orderOf(of, one) - orderOf(of, other)) };
});

const placeOf = (world: World, c: Context, type: FactType, schema: z.ZodType, fact: Partly): Place => ({
  world,
  c,
  type,
  schema,
  fact,
});

const withField = (fact: Partly, field: Field, value: unknown): Partly =>
  value === undefined ? fact : { ...fact, [field]: value };

/** Every fact of one type: each value of each field with each of the others. */
const factsOf = (world: World, c: Context, { type, fields }: Shape): readonly Partly[] =>
  fields.reduce<readonly Partly[]>(
    (facts, [field, schema]) =>
      facts.flatMap((fact) =>
        valuesOf[field]
          .usual(placeOf(world, c, type, schema, fact))
          .map((value) => withField(fact, field, value)),
      ),
    [{ type }],
  );

/** Facts that were built from the fields of their own schema, each once. */
const apart = (facts: readonly Partly[]): readonly Fact[] => [
  ...new Map(facts.map((fact) => [JSON.stringify(fact), fact as unknown as Fact])).values(),
];

/**
 * What may be told to a run in a world as it stands: of every fact, each value that each field may hold here.
 *
 * The schema of facts says which facts and fields there are; the run only lends its names. Whether the chart takes a fact
 * is not looked at: one that it takes by mistake is told as well.
 */
export const factsIn = (world: World, c: Context): readonly Fact[] => {
  const never: readonly string[] = world.never ?? [];
  return apart(
    shapes.filter(({ type }) => !never.includes(type)).flatMap((shape) => factsOf(world, c, shape)),
  );
};

/** The same facts, each with one field that names nothing here: unknown, foreign, stale, or of another kind. */
export const strangeFactsIn = (world: World, c: Context): readonly Fact[] =>
  shapes.flatMap((shape) =>
    factsOf(world, c, shape).flatMap((fact) =>
      shape.fields.flatMap(([field, schema]) =>
        (valuesOf[field].strange?.(placeOf(world, c, shape.type, schema, fact)) ?? []).map(
          (value) => withField(fact, field, value) as unknown as Fact,
        ),
      ),
    ),
  );
