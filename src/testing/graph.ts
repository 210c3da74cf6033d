import type { AnyStateMachine } from 'xstate';
import type { EventOf, SnapshotOf } from './chart.ts';

/** A step between two states, given by their indexes in `states`. */
export interface Edge<Event> {
  readonly from: number;
  readonly event: Event;
  readonly to: number;
}

/** The data of a graph. Edges are sorted by their source states. */
interface Found<Machine extends AnyStateMachine> extends Pick<
  Graph<Machine>,
  'machine' | 'input' | 'after' | 'states' | 'edges' | 'keyOf' | 'eventsIn'
> {
  /** The index of the first edge of each state. */
  readonly begins: readonly number[];
  /** The edge that first reached each state; none for the first. */
  readonly reachedBy: readonly number[];
}

/** The reachable states of a chart and the steps between them. */
export class Graph<Machine extends AnyStateMachine> {
  readonly machine: Machine;
  readonly input: unknown;
  /** The events before the first state. */
  readonly after: readonly EventOf<Machine>[];
  /** The states, nearest first. The exploration began at index 0. */
  readonly states: readonly SnapshotOf<Machine>[];
  readonly edges: readonly Edge<EventOf<Machine>>[];
  /** Returns the key of a state. Snapshots with equal keys have the same future. */
  readonly keyOf: (snapshot: SnapshotOf<Machine>) => string;
  /** Returns the events that were sent in a state, accepted or refused. */
  readonly eventsIn: (snapshot: SnapshotOf<Machine>) => readonly EventOf<Machine>[];
  readonly #begins: readonly number[];
  readonly #reachedBy: readonly number[];

  constructor(found: Found<Machine>) {
    const { machine, input, after, states, edges, begins, reachedBy, keyOf, eventsIn } = found;
    this.machine = machine;
    this.input = input;
    this.after = after;
    this.states = states;
    this.edges = edges;
    this.keyOf = keyOf;
    this.eventsIn = eventsIn;
    this.#begins = begins;
    this.#reachedBy = reachedBy;
  }

  /** The snapshot of a state. */
  at(state: number): SnapshotOf<Machine> {
    const snapshot = this.states[state];
    if (snapshot === undefined) throw new RangeError(`${this.states.length} states have no number ${state}`);
    return snapshot;
  }

  /** Returns the outgoing edges of a state. */
  leaving(state: number): readonly Edge<EventOf<Machine>>[] {
    const begin = this.#begins[state];
    return begin === undefined ? [] : this.edges.slice(begin, this.#begins[state + 1] ?? this.edges.length);
  }

  /** Returns a shortest path from the first state. */
  wayTo(state: number): readonly Edge<EventOf<Machine>>[] {
    const way: Edge<EventOf<Machine>>[] = [];
    for (let edge = this.#edgeInto(state); edge !== undefined; edge = this.#edgeInto(edge.from))
      way.push(edge);
    return way.toReversed();
  }

  /** Returns the predecessors of each state. */
  leadingTo(): readonly (readonly number[])[] {
    const into: number[][] = this.states.map(() => []);
    for (const { from, to } of this.edges) into[to]?.push(from);
    return into;
  }

  #edgeInto(state: number): Edge<EventOf<Machine>> | undefined {
    return this.edges[this.#reachedBy[state] ?? -1];
  }
}
