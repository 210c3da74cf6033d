import type { Cited } from './spec.ts';

/** What a step looks at beside the state, as plain data. */
export type Subject = Readonly<Record<string, unknown>>;

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
