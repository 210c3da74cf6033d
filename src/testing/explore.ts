import type { AnyMachineSnapshot, AnyStateMachine, ContextFrom, EventObject, InputFrom } from 'xstate';
import { stateName } from '../../machines/index.ts';
import { causeOf, CharterError } from '../base/errors.ts';
import { stepper, type EventOf, type SnapshotOf } from './chart.ts';
import { Graph, type Edge } from './graph.ts';
import { keysOf } from './key.ts';

/** Options of `explore`. */
export interface Exploration<Machine extends AnyStateMachine> {
  /** The input of the chart, if it has one. */
  readonly input?: InputFrom<Machine>;
  /**
   * The events: a list, or a function of the state. One for each class that a guard distinguishes is enough. A settled
   * chart refuses all events, so the function is not called for its states.
   */
  readonly events:
    readonly EventOf<Machine>[] | ((snapshot: SnapshotOf<Machine>) => readonly EventOf<Machine>[]);
  /**
   * Returns the part of the context that determines the future, as plain data. By default, the whole context.
   */
  readonly project?: (context: ContextFrom<Machine>) => unknown;
  /** The maximum number of states. By default 100,000. Beyond it, throws `chart_unbounded`. */
  readonly limit?: number;
  /** Events before the exploration, which begins in the resulting state. */
  readonly after?: readonly EventOf<Machine>[];
}

const whole = (context: unknown): unknown => context;
const named = ({ value }: AnyMachineSnapshot): string => stateName(value);

/**
 * Returns every reachable state of a chart and every step, nearest first.
 *
 * Refused events, and those without any change, are no steps. Guards and actions run; nothing is invoked,
 * sent or delayed. Send the end of a delay as an event. Throws `chart_unbounded`, `chart_unreadable`,
 * `chart_refuses` or `chart_broken`.
 */
export const explore = <Machine extends AnyStateMachine>(
  machine: Machine,
  { input, events, project = whole, limit = 100_000, after = [] }: Exploration<Machine>,
): Graph<Machine> => {
  const { initial, step } = stepper(machine, input);
  const keyOf = keysOf(machine, project);
  const eventsIn = typeof events === 'function' ? events : () => events;
  const states: SnapshotOf<Machine>[] = [];
  const numbers = new Map<string, number>();
  const edges: Edge<EventOf<Machine>>[] = [];
  const begins: number[] = [];
  const reachedBy: number[] = [];
  const numberOf = (snapshot: SnapshotOf<Machine>): number => {
    const key = keyOf(snapshot);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (states.length === limit) throw unbounded(machine, limit, snapshot);
    reachedBy.push(edges.length);
    numbers.set(key, states.length);
    return states.push(snapshot) - 1;
  };
  const found = {
    machine,
    input,
    after,
    states,
    edges,
    begins,
    reachedBy,
    keyOf,
    eventsIn,
  };
  const first = (): SnapshotOf<Machine> => {
    const snapshot: AnyMachineSnapshot = initial();
    if (snapshot.status === 'error') throw broken(machine, [], snapshot, snapshot.error);
    return snapshot as SnapshotOf<Machine>;
  };
  const take = (
    way: () => readonly EventOf<Machine>[],
    snapshot: SnapshotOf<Machine>,
    event: EventOf<Machine>,
  ) => {
    try {
      return (snapshot as AnyMachineSnapshot).can(event) ? step(snapshot, event) : snapshot;
    } catch (error) {
      throw broken(machine, [...way(), event], snapshot, error);
    }
  };

  const begin = after.reduce((snapshot, event, at) => {
    const next = take(() => after.slice(0, at), snapshot, event);
    if (next === snapshot) throw refused(machine, snapshot, event, at);
    return next;
  }, first());

  numberOf(begin);
  reachedBy[0] = -1;
  for (const [from, snapshot] of states.entries()) {
    const wayTo = () => [...after, ...new Graph(found).wayTo(from).map(({ event }) => event)];
    begins.push(edges.length);
    if ((snapshot as AnyMachineSnapshot).status !== 'active') continue; // it refuses every event
    for (const event of eventsIn(snapshot)) {
      const next = take(wayTo, snapshot, event);
      if (next !== snapshot) edges.push({ from, event, to: numberOf(next) });
    }
  }
  return new Graph(found);
};

const unbounded = (
  { id: machine }: AnyStateMachine,
  limit: number,
  snapshot: AnyMachineSnapshot,
): CharterError<'chart_unbounded'> =>
  new CharterError(
    'chart_unbounded',
    `${machine} has more than ${limit} states: bound what grows in its context, omit it with \`project\`, or raise \`limit\`.`,
    { machine, limit, state: named(snapshot) },
  );

const refused = (
  { id: machine }: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  { type: event }: EventObject,
  at: number,
): CharterError<'chart_refuses'> => {
  const state = named(snapshot);
  const message = `${machine} refuses ${event} in ${state}: replace \`after[${at}]\` with an event that it accepts there.`;
  return new CharterError('chart_refuses', message, {
    machine,
    event,
    state,
    at,
  });
};

const broken = <Machine extends AnyStateMachine>(
  { id: machine }: Machine,
  sent: readonly EventOf<Machine>[],
  snapshot: AnyMachineSnapshot,
  cause: unknown,
): CharterError<'chart_broken'> => {
  const events = sent.map((event) => JSON.stringify(event));
  const state = named(snapshot);
  const message = `${machine} threw in ${state}: ${causeOf(cause)}; replay \`details.events\` to find the guard or action, and correct it.`;
  return new CharterError('chart_broken', message, { machine, events, state }, { cause });
};
