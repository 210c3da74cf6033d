import { readFileSync } from 'node:fs';
import type { AnyStateMachine } from 'xstate';
import type { Fact, FactType } from '../../machines/index.ts';
import { control, takes } from './control.ts';
import { leavesOf, token } from './tree.ts';
import type { World } from './exploration.ts';
import { factsOf, takesAnswers, type NumberedFact } from './numbers.ts';
import { orderOf } from './order.ts';
import { constantsOf } from './constants.ts';
import { define } from './printed.ts';

const source = (name: string): string => readFileSync(new URL(`${name}.pml`, import.meta.url), 'utf8');

/** What is written by hand: a bounded context, and what guards, actions and facts mean on it. */
export const handWritten = {
  context: source('context'),
  guards: source('guards'),
  acceptance: source('acceptance'),
  reasons: source('reasons'),
  changes: source('changes'),
  answers: source('answers'),
  record: source('record'),
  actions: source('actions'),
  properties: source('properties'),
  limits: source('limits'),
  execution: source('execution'),
  task: source('task'),
} as const;

export type HandWritten = Readonly<Record<keyof typeof handWritten, string>>;

/** A chart in a world, as Spin reads it. */
export interface Model {
  readonly promela: string;
  /** The facts of the world, in the order in which the model numbers them. */
  readonly facts: readonly Fact[];
  /** The states that the chart can rest in, in the order in which the model numbers them, from 1. */
  readonly leaves: readonly string[];
  /** The reason codes, by the model's numbers; 0 is none. */
  readonly codes: readonly string[];
}

/** Facts that get the work done: of a run that is not settled, one of them is owed. */
const work: ReadonlySet<string> = new Set([
  'request.accepted',
  'plan.proposed',
  'policy.decided',
  'call.cleared',
  'call.started',
  'call.succeeded',
  'dependency.met',
  'draft.proposed',
  'verifier.reported',
  'rollback.started',
  'rollback.succeeded',
  'human.responded',
  'followup.offered',
] satisfies FactType[]);

/** A comment gets nothing done. */
const isWork = (fact: Fact): boolean =>
  work.has(fact.type) && !(fact.type === 'human.responded' && fact.feedback === 'comment');

const way = (machine: AnyStateMachine, { fact, about }: NumberedFact, at: number): string => {
  const [x, y, z] = about;
  const isRefrain = `isRefrain(F_${token(fact.type)}, ${about.join(', ')})`;
  return (
    `:: ${takes(machine, fact.type, about)} && isTold(F_${token(fact.type)}, ${about.join(', ')}) && MAY_SAY(${isRefrain}) -> ` +
    `fact = F_${token(fact.type)}; x = ${x}; y = ${y}; z = ${z}; printf("fact ${at} in %d\\n", state)`
  );
};

/** What the world may say: all of it, or with LIVENESS, from some time on, all but its refrains. */
const conditions = (machine: AnyStateMachine, facts: readonly NumberedFact[]): string => {
  const working = facts.filter(({ fact }) => isWork(fact));
  return `
#ifdef LIVENESS
bool isLeaving;
#define MAY_SAY(isRefrain) (!isLeaving || !(isRefrain))
ltl everyRunEnds { [] (isLeaving -> <> isSettled) }
#else
#define MAY_SAY(isRefrain) true
#endif
#define WORK (${working.map(({ fact, about }) => takes(machine, fact.type, about)).join(' || ')})
`;
};

/**
 * The run: from one stable state to the next in one step, so that Spin stores stable states alone.
 *
 * A settled run rests where it is; a run that is not settled and takes nothing is an invalid end state.
 */
const driver = (machine: AnyStateMachine, facts: readonly NumberedFact[]): string => `
active proctype ${machine.id}() {
  do
  :: atomic {
       if
${facts.map((fact, at) => way(machine, fact, at)).join('\n')}
       fi;
       d_step { remember(); beforeFact(); chooseOnFact(); assert(step != 0) };
       do
       :: step != 0 -> printf("step %d\\n", step); d_step { leaveStep() } takeStep(); d_step { acrossStep(); microsteps++; assert(microsteps <= MOST_MICROSTEPS); chooseAlways() }
       :: else -> break
       od;
       d_step { acrossFact(); afterFact(); restsWell(); lookAhead(); beWorkable(); printf("then %d %d %d %d\\n", state, given, reasons[0] / 128, reasons[1] / 128); settle() }
     }
#ifdef LIVENESS
  :: !isLeaving && !isSettled -> isLeaving = true
#endif
  :: isSettled
  od
}
`;

const codesIn = (context: string): readonly string[] => {
  const [, codes = ''] = context.split('/* reason codes');
  const [section = ''] = codes.split('\n\n');
  return ['', ...[...section.matchAll(/^#define (\w+) \d+$/gm)].map(([, name]) => name ?? '')];
};

/** The chart and a world in Promela; the hand-written part may be another, to see that Spin tells. */
export const exported = (
  machine: AnyStateMachine,
  world: World,
  byHand: HandWritten = handWritten,
): Model => {
  const order = orderOf(world);
  const facts = factsOf(machine, world, order);
  const { states, steps } = control(machine);
  const { context, guards, acceptance, reasons, changes, answers, record, actions, properties, limits } =
    byHand;
  return {
    promela: [
      constantsOf(order),
      define('HAS_PERSONS', String(takesAnswers(machine))),
      states,
      context,
      guards,
      acceptance,
      reasons,
      changes,
      answers,
      record,
      actions,
      steps,
      conditions(machine, facts),
      properties,
      limits,
      machine.id === 'task' ? byHand.task : byHand.execution,
      driver(machine, facts),
    ].join('\n'),
    facts: facts.map(({ fact }) => fact),
    leaves: leavesOf(machine).map(({ id }) => id),
    codes: codesIn(context),
  };
};
