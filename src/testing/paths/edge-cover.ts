import type { AnyStateMachine } from 'xstate';
import type { EventOf } from '../chart.ts';
import type { Edge, Graph } from '../graph.ts';
import { Path } from './path.ts';

/**
 * Returns paths that together cover every step of a graph.
 *
 * Each takes the shortest way to a state with uncovered steps, and follows such steps as long as possible.
 */
export const edgeCover = <Machine extends AnyStateMachine>(
  graph: Graph<Machine>,
): readonly Path<Machine>[] => {
  const taken = new Set<Edge<EventOf<Machine>>>();
  const untaken = graph.states.map((_, state) => [...graph.leaving(state)]);
  const next = (state: number): Edge<EventOf<Machine>> | undefined => {
    const left = untaken[state] ?? [];
    while (left.length > 0) {
      const edge = left.pop();
      if (edge !== undefined && !taken.has(edge)) return edge;
    }
    return undefined;
  };
  const onFrom = (first: Edge<EventOf<Machine>>): readonly Edge<EventOf<Machine>>[] => {
    const steps: Edge<EventOf<Machine>>[] = [];
    for (let edge: typeof first | undefined = first; edge !== undefined; edge = next(edge.to)) {
      taken.add(edge);
      steps.push(edge);
    }
    return steps;
  };
  const paths: Path<Machine>[] = [];
  for (const state of graph.states.keys())
    for (let edge = next(state); edge !== undefined; edge = next(state)) {
      const way = graph.wayTo(state);
      for (const step of way) taken.add(step);
      paths.push(new Path(graph, [...way, ...onFrom(edge)]));
    }
  return paths;
};
