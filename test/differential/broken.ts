import { assign } from 'xstate';
import { goingOn } from '../../machines/beside.ts';
import { followedBy } from '../../machines/change.ts';
import { applyFact } from '../../machines/facts/index.ts';
import { taskMachine, type Context, type Fact } from '../../machines/index.ts';
import { chosen, superseded, turnTaken } from '../../machines/progress.ts';
import type { Chart } from './chart.ts';

export type Change = Partial<Context>;

/** A chart that breaks one rule. */
export interface Broken {
  /** What the chart does that it may not. */
  readonly rule: string;
  readonly chart: Chart;
}

/** A chart that takes facts by another context, or other facts. */
export const taking = (rule: string, takes: (c: Context, fact: Fact) => boolean): Broken => ({
  rule,
  chart: taskMachine.provide({ guards: { appliesTo: ({ context, event }) => takes(context, event) } }),
});

/** A chart that records another fact, or records it otherwise. */
export const recording = (rule: string, becomes: (c: Context, fact: Fact) => Change): Broken => ({
  rule,
  chart: taskMachine.provide({
    actions: {
      applyFact: assign(({ context, event }) => becomes(context, event)),
      applyTurn: assign(({ context, event }) => turnTaken(context, becomes(context, event))),
      goOn: assign(({ context, event }) =>
        followedBy(context, turnTaken(context, becomes(context, event)), goingOn),
      ),
      revise: assign(({ context, event }) =>
        followedBy(context, becomes(context, event), (c) => superseded(c, 'revise')),
      ),
      choose: assign(({ context, event }) => ({ ...becomes(context, event), ...chosen(event) })),
    },
  }),
});

/** Records facts of one type otherwise, and every other as it should. */
export const otherwise = <Type extends Fact['type']>(
  rule: string,
  type: Type,
  becomes: (c: Context, fact: Extract<Fact, { type: Type }>) => Change,
): Broken =>
  recording(rule, (c, fact) =>
    fact.type === type ? becomes(c, fact as Extract<Fact, { type: Type }>) : applyFact(c, fact),
  );

/** Returns the context after a fact, as the whole chart has it. */
export const changed = (c: Context, fact: Fact): Context => ({ ...c, ...applyFact(c, fact) });
