import { assign, setup } from 'xstate';
import type { Cited } from './spec.ts';
import { chartVersion } from './version.ts';

/** What a step looks at beside the state, as plain data. */
type Subject = Readonly<Record<string, unknown>>;

/** One line of a table: from these states, on these events, while the condition holds, to that state. */
export interface Step<
  State extends string,
  Event extends string,
  Condition extends string,
  Of,
> extends Cited {
  /** `new` is where every life begins. */
  readonly from: readonly (State | 'new')[];
  readonly on: readonly Event[];
  readonly when?: Condition;
  readonly to: State;
  /** What the step changes of the subject. */
  readonly sets?: Partial<Of>;
}

/** A life as a table. The first line that applies is taken; without one the event changes nothing. */
export interface Lifecycle<
  State extends string,
  Event extends string,
  Condition extends string,
  Of extends Subject,
> {
  readonly id: string;
  readonly conditions: Readonly<Record<Condition, (subject: Of) => boolean>>;
  readonly steps: readonly Step<State, Event, Condition, Of>[];
}

/** Returns the line that applies to an event in a state, or `undefined`. */
export const stepOf = <
  State extends string,
  Event extends string,
  Condition extends string,
  Of extends Subject,
>(
  { steps, conditions }: Lifecycle<State, Event, Condition, Of>,
  state: State | 'new',
  event: Event,
  subject: Of,
): Step<State, Event, Condition, Of> | undefined =>
  steps.find(
    ({ from, on, when }) =>
      from.includes(state) && on.includes(event) && (when === undefined || conditions[when](subject)),
  );

/** Returns the state after an event: the same one if no line applies. */
export const stateAfter = <
  State extends string,
  Event extends string,
  Condition extends string,
  Of extends Subject,
>(
  life: Lifecycle<State, Event, Condition, Of>,
  state: State,
  event: Event,
  subject: Of,
): State => stepOf(life, state, event, subject)?.to ?? state;

/** Returns the state in which a life begins; throws if the table has no line for it. */
export const firstState = <
  State extends string,
  Event extends string,
  Condition extends string,
  Of extends Subject,
>(
  life: Lifecycle<State, Event, Condition, Of>,
  event: Event,
  subject: Of,
): State => {
  const step = stepOf(life, 'new', event, subject);
  if (step === undefined) throw new Error(`no ${life.id} begins with ${event}`);
  return step.to;
};

type Line = Step<string, string, string, Subject>;

const transitionsOf = (lines: readonly Line[]) =>
  Object.fromEntries(
    [...new Set(lines.flatMap(({ on }) => on))].map((event) => [
      event,
      lines
        .filter(({ on }) => on.includes(event))
        .map(({ to, when, sets, cites }) => ({
          target: to,
          meta: { cites },
          ...(when !== undefined && { guard: when }),
          ...(sets && { actions: { type: 'set' as const, params: sets } }),
        })),
    ]),
  );

/** Returns the chart of a table: what reviewers see, and what the explorer walks. */
export const chartOf = <
  State extends string,
  Event extends string,
  Condition extends string,
  Of extends Subject,
>({
  id,
  steps,
  conditions,
}: Lifecycle<State, Event, Condition, Of>) => {
  const states = [...new Set(steps.flatMap(({ from, to }) => [...from, to]))];
  const guards = Object.entries<(subject: Of) => boolean>(conditions).map(([name, holds]) => [
    name,
    ({ context }: { readonly context: Subject }) => holds(context as Of), // the input was one
  ]);
  return setup({
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- it is what XState infers its types from
    types: {} as { context: Subject; events: { readonly type: string }; input: Subject; meta: Cited },
    guards: Object.fromEntries(guards) as Record<
      string,
      (args: { readonly context: Subject }, params: undefined) => boolean
    >,
    actions: { set: assign((_, sets: Subject) => sets) },
  }).createMachine({
    id,
    version: chartVersion,
    context: ({ input }) => input,
    initial: 'new',
    states: Object.fromEntries(
      states.map((state) => [state, { on: transitionsOf(steps.filter(({ from }) => from.includes(state))) }]),
    ),
  });
};
