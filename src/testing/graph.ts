import type { AnyStateMachine } from 'xstate';
import type { EventOf, SnapshotOf } from './chart.ts';

/** One step between two states, which are named by their place in `states`. */
export interface Edge<Event> {
  readonly from: number;
  readonly event: Event;
  readonly to: number;
}

/** What a graph is built from: edges stand in the order of the states that they leave. */
interface Found<Machine extends AnyStateMachine> {
  readonly machine: Machine;
  readonly input: unknown;
  /** The events that led to the first state. */
  readonly after: readonly EventOf<Machine>[];
  readonly states: readonly SnapshotOf<Machine>[];
  readonly edges: readonly Edge<EventOf<Machine>>[];
  /** Where the edges of each state begin. */
  readonly begins: readonly number[];
  /** The edge that each state was first reached by; the first state has none. */
  readonly reachedBy: readonly number[];
  readonly keyOf: (snapshot: SnapshotOf<Machine>) => string;
  readonly eventsIn: (snapshot: SnapshotOf<Machine>) => readonly EventOf<Machine>[];
}

/** Everything that a chart can come to by the events that it was given, and how. */
export class Graph<Machine extends AnyStateMachine> {
  readonly machine: Machine;
  readonly input: unknown;
  /** The events that lead to the first state. */
  readonly after: readonly EventOf<Machine>[];
  /** The first is where the exploration began; the nearest stand first. */
  readonly states: readonly SnapshotOf<Machine>[];
  readonly edges: readonly Edge<EventOf<Machine>>[];
  /** What tells the states apart: two snapshots with one key have one future. */
  readonly keyOf: (snapshot: SnapshotOf<Machine>) => string;
  /** What was said to the chart in a state, whether it was taken or refused. */
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

  /** The steps out of a state. */
  leaving(state: number): readonly Edge<EventOf<Machine>>[] {
    const begin = this.#begins[state];
    return begin === undefined ? [] : this.edges.slice(begin, this.#begins[state + 1] ?? this.edges.length);
  }

  /** A shortest way from the first state to this one. */
  wayTo(state: number): readonly Edge<EventOf<Machine>>[] {
    const way: Edge<EventOf<Machine>>[] = [];
    for (let edge = this.#edgeInto(state); edge !== undefined; edge = this.#edgeInto(edge.from))
      way.push(edge);
    return way.toReversed();
  }

  /** The states that lead to each state, by one step. */
  leadingTo(): readonly (readonly number[])[] {
    const into: number[][] = this.states.map(() => []);
    for (const { from, to } of this.edges) into[to]?.push(from);
    return into;
  }

  #edgeInto(state: number): Edge<EventOf<Machine>> | undefined {
    return this.edges[this.#reachedBy[state] ?? -1];
  }
}
