import { z } from 'zod';
import type { Change } from '../change.ts';
import type { Context } from '../context.ts';
import type { Citation, Cited } from '../spec.ts';

type FactSchema<Type extends string, Shape extends z.ZodRawShape> = z.ZodObject<
  { type: z.ZodLiteral<Type> } & Shape
>;

/** The rule of a fact: its schema, when it applies, and what it changes. */
export interface FactRule<Schema extends z.ZodObject> extends Cited {
  readonly schema: Schema;
  /** Returns whether the fact applies to a run that has not ended. */
  readonly accepts: (c: Context, fact: z.infer<Schema>) => boolean;
  /** Returns whether the fact applies to a run that has ended. */
  readonly acceptsAfter: (c: Context, fact: z.infer<Schema>) => boolean;
  /** Returns what the fact changes, without its consequences. */
  readonly apply: (c: Context, fact: z.infer<Schema>) => Change;
}

/** Defines a fact. By default it applies to every run that has not ended, and changes nothing. */
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
