import type { AnyMachineSnapshot, AnyStateMachine, ContextFrom, EventObject, InputFrom } from 'xstate';
import { stateName } from '../../machines/index.ts';
import { causeOf, CharterError } from '../errors.ts';
import { stepper, type EventOf, type SnapshotOf } from './chart.ts';
import { Graph, type Edge } from './graph.ts';
import { keysOf } from './key.ts';

/** How a chart is explored. */
export interface Exploration<Machine extends AnyStateMachine> {
  /** What the chart begins with; left out where it takes none. */
  readonly input?: InputFrom<Machine>;
  /** What may be said to it: a finite list, or what may be said in one state; one case for each class that a guard can tell apart. */
  readonly events:
    readonly EventOf<Machine>[] | ((snapshot: SnapshotOf<Machine>) => readonly EventOf<Machine>[]);
  /** The part of the context that decides what can follow, as plain data; the whole context where left out. */
  readonly project?: (context: ContextFrom<Machine>) => unknown;
  /** How many states there may be; 100,000 where left out. More throw `chart_unbounded`. */
  readonly limit?: number;
  /** Events that come first: the exploration begins where they lead. */
  readonly after?: readonly EventOf<Machine>[];
}

const whole = (context: unknown): unknown => context;
const named = ({ value }: AnyMachineSnapshot): string => stateName(value);

/**
 * Every state that a chart can come to, and every step between two of them, nearest first.
 *
 * A refused event is no step; a settled chart takes none. Guards and actions run, nothing is invoked, sent or delayed:
 * the end of a delay is an event like any other. Throws `chart_unbounded`, `chart_unreadable`,
 * `chart_refuses` or `chart_broken`.
 */
export const explore = <Machine extends AnyStateMachine>(
  machine: Machine,
  { input, events, project = whole, limit = 100_000, after = [] }: Exploration<Machine>,
): Graph<Machine> => {
  const { initial, step } = stepper(machine, input);
  const keys = keysOf(machine, project);
  const eventsIn = typeof events === 'function' ? events : () => events;
  const states: SnapshotOf<Machine>[] = [];
  const numbers = new Map<string, number>();
  const edges: Edge<EventOf<Machine>>[] = [];
  const begins: number[] = [];
  const reachedBy: number[] = [];
  const numberOf = (snapshot: SnapshotOf<Machine>): number => {
    const key = keys.of(snapshot);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    if (states.length === limit) throw unbounded(machine, limit, snapshot);
    keys.insist(snapshot);
    reachedBy.push(edges.length);
    numbers.set(key, states.length);
    return states.push(snapshot) - 1;
  };
  const found = { machine, input, after, states, edges, begins, reachedBy, keyOf: keys.of, eventsIn };
  const take = (from: number, snapshot: SnapshotOf<Machine>, event: EventOf<Machine>) => {
    try {
      return step(snapshot, event);
    } catch (error) {
      throw broken(new Graph(found), from, event, error);
    }
  };

  const begin = after.reduce((snapshot, event, at) => {
    const next = step(snapshot, event);
    if (next === snapshot) throw refused(machine, snapshot, event, at);
    return next;
  }, initial());

  numberOf(begin);
  reachedBy[0] = -1;
  for (const [from, snapshot] of states.entries()) {
    begins.push(edges.length);
    for (const event of eventsIn(snapshot)) {
      const next = take(from, snapshot, event);
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
    `${machine} has more than ${limit} states: bound what grows in its context, leave it out by \`project\`, or raise \`limit\`.`,
    { machine, limit, state: named(snapshot) },
  );

const refused = (
  { id: machine }: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  { type: event }: EventObject,
  at: number,
): CharterError<'chart_refuses'> => {
  const state = named(snapshot);
  const message = `${machine} refuses ${event} in ${state}: \`after[${at}]\` leads nowhere.`;
  return new CharterError('chart_refuses', message, { machine, event, state, at });
};

const broken = <Machine extends AnyStateMachine>(
  graph: Graph<Machine>,
  from: number,
  event: EventOf<Machine>,
  cause: unknown,
): CharterError<'chart_broken'> => {
  const events = [...graph.wayTo(from).map((edge) => edge.event), event].map((said) => JSON.stringify(said));
  const state = named(graph.at(from));
  const message = `${graph.machine.id} threw in ${state}: ${causeOf(cause)}.`;
  return new CharterError('chart_broken', message, { machine: graph.machine.id, events, state }, { cause });
};
