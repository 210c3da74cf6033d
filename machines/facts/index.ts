import { z } from 'zod';
import type { Change } from '../change.ts';
import type { Context } from '../context.ts';
import type { Cited } from '../spec.ts';
import { answerFacts } from './answer.ts';
import { callFacts } from './call.ts';
import { clearanceFacts } from './clearance.ts';
import { withConsequences } from './consequences.ts';
import { deadlineFacts } from './deadline.ts';
import { integrityFacts } from './integrity.ts';
import { modelFacts } from './model.ts';
import { recoveryFacts } from './recovery.ts';
import { requestFacts } from './request.ts';
import { rollbackFacts } from './rollback.ts';
import { verificationFacts } from './verification.ts';

const rules = [
  ...requestFacts,
  ...modelFacts,
  ...clearanceFacts,
  ...callFacts,
  ...verificationFacts,
  ...integrityFacts,
  ...recoveryFacts,
  ...rollbackFacts,
  ...answerFacts,
  ...deadlineFacts,
] as const;

type Schemas<Rules extends readonly { readonly schema: unknown }[]> = {
  [At in keyof Rules]: Rules[At]['schema'];
};

const schemas = rules.map(({ schema }) => schema) as unknown as Schemas<typeof rules>; // map loses the positions

/** Something that happened. Facts are the only events of the charts. */
export const Fact = z.discriminatedUnion('type', schemas);
export type Fact = z.infer<typeof Fact>;
/** The type of a fact. */
export type FactType = Fact['type'];
/** The fact of one type. */
export type FactOf<Type extends FactType> = Extract<Fact, { type: Type }>;

/** Every type of fact, by family. */
export const factTypes: readonly FactType[] = rules.map(({ schema }) => schema.shape.type.value);

/** The rule of a fact of any type. */
interface AnyRule extends Cited {
  readonly accepts: (c: Context, fact: Fact) => boolean;
  readonly acceptsAfter: (c: Context, fact: Fact) => boolean;
  readonly apply: (c: Context, fact: Fact) => Change;
}

const byType = Object.fromEntries(
  rules.map((rule) => [rule.schema.shape.type.value, rule]),
) as unknown as Readonly<
  Record<FactType, AnyRule> // the key of each rule is the type of its own fact
>;

/** Returns the citation of a fact. */
export const citationOf = (type: FactType): Cited => ({ cites: byType[type].cites });

/** Returns whether a fact applies to this run now. */
export const appliesTo = (c: Context, fact: Fact): boolean =>
  c.outcome === null ? byType[fact.type].accepts(c, fact) : byType[fact.type].acceptsAfter(c, fact);

/** Returns what a fact changes in the context, with its immediate consequences. Each fact starts a new trail. */
export const applyFact = (c: Context, fact: Fact): Change =>
  withConsequences(c, { trail: [], ...byType[fact.type].apply(c, fact) });
