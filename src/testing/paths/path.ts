import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { stateName } from '../../../machines/index.ts';
import type { EventOf } from '../chart.ts';
import { eventText } from '../event-text.ts';
import type { Edge, Graph } from '../graph.ts';
import { shortTitle } from '../short-title.ts';

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

  /** The final state, and the events with their members. */
  get text(): string {
    return this.#told(eventText);
  }

  /** The test title of at most 90 characters: the final state, and the types of the last events. */
  get title(): string {
    return shortTitle(
      this.#told(({ type }) => type),
      90,
    );
  }

  #told(textOf: (event: EventOf<Machine>) => string): string {
    const { value }: AnyMachineSnapshot = this.graph.at(this.end);
    const events = this.events.map(textOf).join(', ');
    return `${stateName(value)} after ${events === '' ? 'nothing' : events}`;
  }
}
