import { z } from 'zod';
import type { Change } from '../change.ts';
import type { Context } from '../context.ts';
import type { Citation, Cited } from '../spec.ts';

type FactSchema<Type extends string, Shape extends z.ZodRawShape> = z.ZodObject<
  { type: z.ZodLiteral<Type> } & Shape
>;

/** Everything that the charts know of a fact. */
export interface FactRule<Schema extends z.ZodObject> extends Cited {
  readonly schema: Schema;
  /** Whether it applies to a run that is not over. */
  readonly accepts: (c: Context, fact: z.infer<Schema>) => boolean;
  /** Whether it applies to a run that is over. */
  readonly acceptsAfter: (c: Context, fact: z.infer<Schema>) => boolean;
  /** What it changes, before its consequences. */
  readonly apply: (c: Context, fact: z.infer<Schema>) => Change;
}

/** Defines a fact. By default it applies to every run that is not over, and changes nothing. */
export const fact = <Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  cites: Citation,
  shape: Shape,
  rule: Partial<Omit<FactRule<FactSchema<Type, Shape>>, 'schema' | 'cites'>> = {},
): FactRule<FactSchema<Type, Shape>> => ({
  cites,
  schema: z.object({ type: z.literal(type), ...shape }),
  accepts: () => true,
  acceptsAfter: () => false,
  apply: () => ({}),
  ...rule,
});
