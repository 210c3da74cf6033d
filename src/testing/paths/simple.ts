import type { AnyStateMachine } from 'xstate';
import type { EventOf } from '../chart.ts';
import type { Edge, Graph } from '../graph.ts';
import { Path } from './path.ts';
import type { Wanted } from './shortest.ts';

/**
 * Returns a function that goes on to the next path, depth first: it changes `steps`, and returns the final state, or
 * -1 after the last path. It is no generator, because V8 optimizes functions sooner.
 */
const walkerOf = <Event>(
  onward: readonly (readonly Edge<Event>[])[],
  steps: Edge<Event>[],
): (() => number) => {
  const isOn = new Uint8Array(onward.length);
  const tried = new Uint32Array(onward.length + 1); // the edges that were tried, by the length of the path
  isOn[0] = 1;
  let state = 0;
  return () => {
    for (;;) {
      const { length } = steps;
      const next = tried[length] ?? 0;
      const edge = onward[state]?.[next];
      if (edge === undefined) {
        isOn[state] = 0;
        const last = steps.pop();
        if (last === undefined) return -1;
        state = last.from;
        continue;
      }
      tried[length] = next + 1;
      if (isOn[edge.to] === 1) continue;
      steps.push(edge);
      tried[length + 1] = 0;
      isOn[edge.to] = 1;
      state = edge.to;
      return state;
    }
  };
};

/**
 * Yields every path that visits no state twice, lazily, because there may be very many.
 *
 * It walks the graph once for all end states.
 */
export function* simplePaths<Machine extends AnyStateMachine>(
  graph: Graph<Machine>,
  { to = () => true }: Wanted<Machine> = {},
): Generator<Path<Machine>, void, undefined> {
  const isEnd = graph.states.map((snapshot) => to(snapshot));
  const steps: Edge<EventOf<Machine>>[] = [];
  const walk = walkerOf(
    graph.states.map((_, state) => graph.leaving(state)),
    steps,
  );
  for (let end = 0; end !== -1; end = walk()) if (isEnd[end] === true) yield new Path(graph, steps.slice());
}
