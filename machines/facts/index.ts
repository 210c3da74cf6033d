import { z } from 'zod';
import type { Change } from '../change.ts';
import type { Context } from '../context.ts';
import { pausesAnswered } from '../pauses.ts';
import { answerFacts } from './answer.ts';
import { callFacts } from './call.ts';
import { clearanceFacts } from './clearance.ts';
import { withConsequences } from './consequences.ts';
import { deadlineFacts } from './deadline.ts';
import type { FactRule } from './family.ts';
import { integrityFacts } from './integrity.ts';
import { modelFacts } from './model.ts';
import { recoveryFacts } from './recovery.ts';
import { requestFacts } from './request.ts';
import { rollbackFacts } from './rollback.ts';
import { verificationFacts } from './verification.ts';

const rules = {
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
};

type Rules = typeof rules;
type SchemaOf<Type extends string, Rule extends { readonly shape: z.ZodRawShape }> = z.ZodObject<
  { type: z.ZodLiteral<Type> } & Rule['shape']
>;
type Schema = { [Type in keyof Rules]: SchemaOf<Type, Rules[Type]> }[keyof Rules];

const schemas = Object.entries(rules).map(([type, { shape }]) =>
  z.object({ type: z.literal(type), ...shape }),
) as unknown as readonly [Schema, ...Schema[]]; // each has the type and the shape of its rule

/** Something that happened. Facts are the only events of the charts. */
export const Fact = z.discriminatedUnion('type', schemas);
export type Fact = z.infer<typeof Fact>;
/** The type of a fact. */
export type FactType = Fact['type'];
/** The fact of one type. */
export type FactOf<Type extends FactType> = Extract<Fact, { type: Type }>;

/** Every type of fact, by family. */
export const factTypes: readonly FactType[] = Fact.options.map(({ shape }) => shape.type.value);

/** Returns the rule of a fact. */
export const ruleOf = (type: FactType) => rules[type] as unknown as FactRule<Fact>; // it is asked about its own fact only

/** Returns whether a fact applies to this run now. */
export const appliesTo = (c: Context, fact: Fact): boolean => {
  const { accepts = () => true, acceptsAfter = () => false } = ruleOf(fact.type);
  return c.outcome === null ? accepts(c, fact) : acceptsAfter(c, fact);
};

const isPersons = (fact: Fact): boolean =>
  fact.type === 'human.responded' || (fact.type === 'approval.granted' && fact.authority !== 'system');

/** Returns what a fact changes in the context, with its immediate consequences. Each fact starts a new trail. */
export const applyFact = (c: Context, fact: Fact): Change => {
  const change = withConsequences(c, { trail: [], ...ruleOf(fact.type).apply?.(c, fact) });
  return isPersons(fact) ? { ...change, ...pausesAnswered(c, change) } : change;
};
