import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { stateName } from '../../../machines/index.ts';
import type { EventOf } from '../chart.ts';
import { eventText } from '../event-text.ts';
import type { Edge, Graph } from '../graph.ts';

/** A path through a graph from its first state. */
export class Path<Machine extends AnyStateMachine> {
  readonly graph: Graph<Machine>;
  readonly steps: readonly Edge<EventOf<Machine>>[];

  constructor(graph: Graph<Machine>, steps: readonly Edge<EventOf<Machine>>[]) {
    this.graph = graph;
    this.steps = steps;
  }

  /** The final state. */
  get end(): number {
    return this.steps.at(-1)?.to ?? 0;
  }

  /** Every event, from the start of the chart. */
  get events(): readonly EventOf<Machine>[] {
    return [...this.graph.after, ...this.steps.map(({ event }) => event)];
  }

  /** The test title: the final state, and the events. */
  get title(): string {
    const { value }: AnyMachineSnapshot = this.graph.at(this.end);
    const events = this.events.map(eventText).join(', ');
    return `${stateName(value)} after ${events === '' ? 'nothing' : events}`;
  }
}
