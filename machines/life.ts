import type { Cited } from './spec.ts';

/** The plain data that the guards of a life read. */
export type Subject = Readonly<Record<string, unknown>>;

/** A transition of a life. `params` are the fields of the subject that it changes. */
export interface Way<State extends string, Guard extends string, Of> {
  readonly guard?: Guard;
  readonly target: State;
  readonly actions?: { readonly type: 'set'; readonly params: Partial<Of> };
  readonly meta: Cited;
}

/**
 * The life of one thing: the config of an XState chart whose context is what its guards read. It begins in `new`. An event that
 * a state does not take changes nothing.
 */
export interface Life<State extends string, Event extends string, Guard extends string, Of extends Subject> {
  readonly id: string;
  readonly guards: Readonly<Record<Guard, (of: { readonly context: Of }) => boolean>>;
  readonly states: Readonly<
    Record<
      State | 'new',
      {
        readonly on?: Readonly<
          Partial<Record<Event, Way<State, Guard, Of> | readonly Way<State, Guard, Of>[]>>
        >;
      }
    >
  >;
}

/**
 * Returns the transition that an event takes in a state, as XState chooses it; `undefined` if none.
 *
 * XState's own step makes an actor scope and a snapshot, and a run takes many.
 */
export const wayOf = <State extends string, Event extends string, Guard extends string, Of extends Subject>(
  { states, guards }: Life<State, Event, Guard, Of>,
  state: State | 'new',
  event: Event,
  context: Of,
): Way<State, Guard, Of> | undefined => {
  const ways = states[state].on?.[event];
  const isOpen = ({ guard }: Way<State, Guard, Of>): boolean =>
    guard === undefined || guards[guard]({ context });
  return ways === undefined ? undefined : [ways].flat().find(isOpen);
};

/** Returns the first state of a life. Throws if it does not begin with the event. */
export const firstState = <
  State extends string,
  Event extends string,
  Guard extends string,
  Of extends Subject,
>(
  life: Life<State, Event, Guard, Of>,
  event: Event,
  context: Of,
): State => {
  const way = wayOf(life, 'new', event, context);
  if (way === undefined) throw new Error(`no ${life.id} begins with ${event}`);
  return way.target;
};
