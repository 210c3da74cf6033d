import type { AnyStateMachine } from 'xstate';
import type { EventOf } from './chart.ts';
import type { Edge, Graph } from './graph.ts';

type Kept<Machine extends AnyStateMachine> = (edge: Edge<EventOf<Machine>>) => boolean;

/**
 * Returns the states that remain after repeatedly removing those without predecessors: each is on or after a
 * cycle.
 */
const remainingIn = (count: number, edges: readonly Edge<unknown>[]): ReadonlySet<number> => {
  const arrivals = Array.from({ length: count }, () => 0);
  const onward: number[][] = arrivals.map(() => []);
  for (const { from, to } of edges) {
    arrivals[to] = (arrivals[to] ?? 0) + 1;
    onward[from]?.push(to);
  }
  const remaining = new Set(arrivals.keys());
  const free = [...remaining].filter((state) => arrivals[state] === 0);
  for (const state of free) {
    remaining.delete(state);
    for (const to of onward[state] ?? []) {
      const remaining = (arrivals[to] ?? 0) - 1;
      arrivals[to] = remaining;
      if (remaining === 0) free.push(to);
    }
  }
  return remaining;
};

/** Returns a shortest cycle through a state. */
const roundTrip = <Event>(
  start: number,
  leaving: (state: number) => readonly Edge<Event>[],
): readonly Edge<Event>[] => {
  const reachedBy = new Map<number, Edge<Event>>();
  const wayBack = (last: Edge<Event>): readonly Edge<Event>[] => {
    const way = [last];
    for (let edge = last; edge.from !== start;) {
      edge = reachedBy.get(edge.from) ?? last;
      way.push(edge);
    }
    return way.toReversed();
  };
  const queue = [start];
  for (const state of queue)
    for (const edge of leaving(state)) {
      if (edge.to === start) return wayBack(edge);
      if (reachedBy.has(edge.to)) continue;
      reachedBy.set(edge.to, edge);
      queue.push(edge.to);
    }
  return [];
};

/** Returns the nearest cycle of the filtered steps; empty if there is none. */
export const cycleIn = <Machine extends AnyStateMachine>(
  graph: Graph<Machine>,
  isKept: Kept<Machine>,
): readonly Edge<EventOf<Machine>>[] => {
  const remaining = remainingIn(graph.states.length, graph.edges.filter(isKept));
  const leaving = (state: number) =>
    graph.leaving(state).filter((edge) => remaining.has(edge.to) && isKept(edge));
  for (const state of remaining) {
    const cycle = roundTrip(state, leaving);
    if (cycle.length > 0) return cycle;
  }
  return [];
};
