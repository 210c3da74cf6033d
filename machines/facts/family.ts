import type { z } from 'zod';
import type { Outcome } from '../../schema/index.ts';
import type { Change } from '../change.ts';
import type { Context } from '../context.ts';
import type { Cited } from '../spec.ts';

/** The rule of a fact: when it applies, what it changes, and its outcome. */
export interface FactRule<Fact> extends Cited {
  /** Returns whether the fact applies to a run that has not ended. By default it does. */
  readonly accepts?: (c: Context, fact: Fact) => boolean;
  /** Returns whether the fact applies to a run that has ended. By default it does not. */
  readonly acceptsAfter?: (c: Context, fact: Fact) => boolean;
  /** Returns what the fact changes, without its consequences. By default, nothing. */
  readonly apply?: (c: Context, fact: Fact) => Change;
  /** Returns the outcome of the record of the fact. By default it is that of the run. */
  readonly outcome?: (fact: Fact) => Outcome;
}

/** Defines a family of facts by their types: the fields of each, and its rule. */
export const family = <Shapes extends Readonly<Record<string, z.ZodRawShape>>>(rules: {
  readonly [Type in keyof Shapes]: FactRule<z.infer<z.ZodObject<Shapes[Type]>>> & {
    readonly shape: Shapes[Type];
  };
}) => rules;
