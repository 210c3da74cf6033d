import type { Cited } from './spec.ts';

/** The plain data that the conditions of a table read. */
export type Subject = Readonly<Record<string, unknown>>;

/** A row of a transition table: from these states, on these events, if the condition holds, to that state. */
export interface Step<
  State extends string,
  Event extends string,
  Condition extends string,
  Of,
> extends Cited {
  /** The source states. `new` is the initial state of every lifecycle. */
  readonly from: readonly (State | 'new')[];
  readonly on: readonly Event[];
  readonly when?: Condition;
  readonly to: State;
  /** The fields of the subject that the step changes. */
  readonly sets?: Partial<Of>;
}

/**
 * A lifecycle as a transition table. The first row that applies is taken; if none applies, the event changes nothing.
 */
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

/** Returns the first row that applies to an event in a state, or `undefined`. */
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

/** Returns the first state of a lifecycle. Throws if the table has no row for the event. */
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
