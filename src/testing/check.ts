import type { AnyStateMachine } from 'xstate';
import type { EventOf } from './chart.ts';
import { cycleIn } from './cycle.ts';
import type { Edge, Graph } from './graph.ts';
import type { Property, Step } from './property.ts';
import { testText } from './test-text.ts';
import { traceOf, traceText } from './trace.ts';

/** A broken property, with a shortest run that shows it. */
export interface Counterexample<Machine extends AnyStateMachine> {
  readonly property: string;
  readonly events: readonly EventOf<Machine>[];
  /** The run as text: each event with its states and citations. */
  readonly trace: string;
  /** A test to paste. It fails while the property is broken. */
  readonly test: string;
}

type Way<Machine extends AnyStateMachine> = readonly Edge<EventOf<Machine>>[];

const stepOf = <Machine extends AnyStateMachine>(
  graph: Graph<Machine>,
  { from, event, to }: Edge<EventOf<Machine>>,
): Step<Machine> => ({ from: graph.at(from), event, to: graph.at(to) });

/** Returns the states from which no good state is reachable, nearest first. */
const stuckIn = <Machine extends AnyStateMachine>(
  graph: Graph<Machine>,
  isGood: (state: number) => boolean,
): readonly number[] => {
  const leadingTo = graph.leadingTo();
  const leading = new Set([...graph.states.keys()].filter(isGood));
  for (const state of leading) for (const from of leadingTo[state] ?? []) leading.add(from);
  return [...graph.states.keys()].filter((state) => !leading.has(state));
};

/** Returns a shortest path to a violation; `null` if there is none. */
const wayToBreak = <Machine extends AnyStateMachine>(
  graph: Graph<Machine>,
  property: Property<Machine>,
): Way<Machine> | null => {
  switch (property.kind) {
    case 'state': {
      const at = graph.states.findIndex((snapshot) => !property.holds(snapshot));
      return at === -1 ? null : graph.wayTo(at);
    }
    case 'step': {
      const edge = graph.edges.find((edge) => !property.holds(stepOf(graph, edge)));
      return edge === undefined ? null : [...graph.wayTo(edge.from), edge];
    }
    case 'reachable': {
      const [stuck] = stuckIn(graph, (state) => property.isGood(graph.at(state)));
      return stuck === undefined ? null : graph.wayTo(stuck);
    }
    case 'ending': {
      const cycle = cycleIn(graph, (edge) => !property.isOutside(stepOf(graph, edge)));
      const [first] = cycle;
      return first === undefined ? null : [...graph.wayTo(first.from), ...cycle];
    }
  }
};

/** Returns the properties of a chart that are broken, each with a shortest run that shows it. */
export const check = <Machine extends AnyStateMachine>(
  graph: Graph<Machine>,
  properties: readonly Property<Machine>[],
): readonly Counterexample<Machine>[] =>
  properties.flatMap((property) => {
    const way = wayToBreak(graph, property);
    if (way === null) return [];
    const events = [...graph.after, ...way.map(({ event }) => event)];
    return {
      property: property.name,
      events,
      trace: `${property.name}: broken\n${traceText(traceOf(graph.machine, graph.input, events))}`,
      test: testText(property, events),
    };
  });
