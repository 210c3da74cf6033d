import type { z } from 'zod';
import { Fact, type Context, type FactType } from '../../../machines/index.ts';
import type { PartialFact, Place } from './names.ts';
import { valuesOf, type Field } from './values.ts';
import type { World } from './world.ts';

/** Fields that determine other fields. What a person submits depends on their answer type. */
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

/** The fields of every fact, from its schema. */
const shapes: readonly Shape[] = Fact.options.map(({ shape }) => {
  const { type, ...fields } = shape;
  const named = Object.entries(fields) as unknown as readonly (readonly [Field, z.ZodType])[];
  const of = type.value;
  return { type: of, fields: named.toSorted(([one], [other]) => orderOf(of, one) - orderOf(of, other)) };
});

const placeOf = (world: World, c: Context, type: FactType, schema: z.ZodType, fact: PartialFact): Place => ({
  world,
  c,
  type,
  schema,
  fact,
});

const withField = (fact: PartialFact, field: Field, value: unknown): PartialFact =>
  value === undefined ? fact : { ...fact, [field]: value };

/** Returns values without those that are written alike. */
const distinct = (values: readonly unknown[]): readonly unknown[] =>
  values.length < 2
    ? values
    : [
        ...new Map(
          values.map((value) => [typeof value === 'object' ? JSON.stringify(value) : value, value]),
        ).values(),
      ];

/** Returns every fact of a type: all combinations of field values. Facts are distinct, as their values are. */
const factsOf = (world: World, c: Context, { type, fields }: Shape): readonly PartialFact[] => {
  let facts: readonly PartialFact[] = [{ type }];
  for (const [field, schema] of fields) {
    const longer: PartialFact[] = [];
    for (const fact of facts)
      for (const value of distinct(valuesOf[field].usual(placeOf(world, c, type, schema, fact))))
        longer.push(withField(fact, field, value));
    facts = longer;
  }
  return facts;
};

/**
 * Returns the facts that can be sent to a run: all combinations of the field values that are possible here.
 *
 * The fact schema determines facts and fields, and the run provides ids. Facts that the chart refuses are
 * included, so that wrongly accepted ones are found.
 */
export const factsIn = (world: World, c: Context): readonly Fact[] => {
  const never: readonly string[] = world.never ?? [];
  const facts = shapes
    .filter(({ type }) => !never.includes(type))
    .flatMap((shape) => factsOf(world, c, shape));
  return facts as unknown as readonly Fact[]; // each field has a value of its own schema
};

/** Returns the same facts, each with one unknown, foreign, stale or mistyped id. */
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
