import type { World } from 'agentcharter/testing';
import type { Context, Fact, FactType, ProposedCall, TaskClassInput } from '../../machines/index.ts';

type Heard = NonNullable<World['never']>[number];
type Limits = NonNullable<TaskClassInput['limits']>;

/** What a world must have for a feature to show in it. */
export interface Needs {
  readonly hears?: readonly Heard[];
  readonly calls?: readonly ProposedCall[];
  readonly limits?: Limits;
  readonly taskClass?: Omit<World['taskClass'], 'limits'>;
  readonly world?: Partial<Pick<World, 'further' | 'edited' | 'tightened' | 'approvers' | 'children'>>;
  /** Another plan, which the first one may be replaced with. */
  readonly drops?: boolean;
}

/** One step of a run: the fact, and the context before and after it. */
export interface Shown {
  readonly before: Context;
  readonly fact: Fact;
  readonly after: Context;
}

/** Something that a run may show. */
export interface Feature {
  readonly name: string;
  readonly shows: (step: Shown) => boolean;
  readonly needs: Needs;
}

export const took =
  <Type extends FactType>(
    type: Type,
    isIt: (fact: Extract<Fact, { type: Type }>, before: Context) => boolean = () => true,
  ) =>
  ({ fact, before }: Shown): boolean =>
    fact.type === type && isIt(fact as Extract<Fact, { type: Type }>, before);

export const begins = (tier: ProposedCall['tier']) =>
  took('call.started', ({ call }, { calls }) => calls[call]?.tier === tier);

export const answers = (kind: string, ...feedback: readonly string[]) =>
  took(
    'human.responded',
    (fact, { questions }) => questions[fact.question]?.kind === kind && feedback.includes(fact.feedback),
  );

export const counts =
  (counter: keyof Context['counters']) =>
  ({ before, after }: Shown): boolean =>
    after.counters[counter] > before.counters[counter];

/** The run ends because it needs one more than its limit. */
export const exceeds =
  (limit: 'modelCalls' | 'calls') =>
  ({ before, after }: Shown): boolean =>
    before.reasons.length === 0 &&
    after.reasons.some(({ code, about }) => code === 'BUDGET_SPENT' && about === limit);

export const late = (of: string) => took('deadline.passed', (fact) => fact.of === of);

export const isOnDraft = (of: string, { draft }: Context): boolean => draft?.digest === of;
