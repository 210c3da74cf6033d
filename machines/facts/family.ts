import type { z } from 'zod';
import type { Outcome } from '../../schema/index.ts';
import type { Change } from '../change.ts';
import type { Context } from '../context.ts';
import type { Cited } from '../spec.ts';
import type { Plan } from './fields.ts';

/** The words for the subjects of a fact. */
export interface FactWords {
  /** Names a call by its id. */
  readonly call: (id: string) => string;
  /** Names the calls of a proposal. */
  readonly calls: (proposal: Plan) => string;
  /** Says why a proposal asks a person, as the end of a sentence; empty if it does not. */
  readonly doubt: (proposal: Omit<Plan, 'calls'>) => string;
  /** Names an action, a rollback or a draft by its digest. */
  readonly action: (digest: string) => string;
  /** Names the subject of a question by the question's id. */
  readonly question: (id: string) => string;
  /** What proposes calls and answers. */
  readonly proposer: string;
  /** The person who responds. */
  readonly person: string;
}

/** The rule of a fact: when it applies, what it changes, its outcome, and how it is said. */
export interface FactRule<Fact> extends Cited {
  /** Returns whether the fact applies to a run that has not ended. By default it does. */
  readonly accepts?: (c: Context, fact: Fact) => boolean;
  /** Returns whether the fact applies to a run that has ended. By default it does not. */
  readonly acceptsAfter?: (c: Context, fact: Fact) => boolean;
  /** Returns what the fact changes, without its consequences. By default, nothing. */
  readonly apply?: (c: Context, fact: Fact) => Change;
  /** Returns the outcome of the record of the fact. By default it is that of the run. */
  readonly outcome?: (fact: Fact) => Outcome;
  /** Whether the fact is an outcome of work: if it is too late to count, it is recorded as an orphan. */
  readonly mayBeLate?: true;
  /** Returns whether everyone hopes for the fact: nothing fails, is late, refused or taken back. By default not. */
  readonly isHoped?: (fact: Fact) => boolean;
  /** Returns whether people or the clock can repeat the fact without a limit. By default they cannot. */
  readonly isRepeatable?: (fact: Fact) => boolean;
  /** Returns the fact as a sentence, without identifiers. */
  readonly says: (fact: Fact, words: FactWords) => string;
}

/** Defines a family of facts by their types: the fields of each, and its rule. */
export const family = <Shapes extends Readonly<Record<string, z.ZodRawShape>>>(rules: {
  readonly [Type in keyof Shapes]: FactRule<z.infer<z.ZodObject<Shapes[Type]>>> & {
    readonly shape: Shapes[Type];
  };
}) => rules;
