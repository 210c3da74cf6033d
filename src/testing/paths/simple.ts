import type { AnyStateMachine } from 'xstate';
import type { EventOf } from '../chart.ts';
import type { Edge, Graph } from '../graph.ts';
import { Path } from './path.ts';
import type { Wanted } from './shortest.ts';

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
  const onward = graph.states.map((_, state) => graph.leaving(state));
  const isOn = graph.states.map((_, state) => state === 0);
  const steps: Edge<EventOf<Machine>>[] = [];
  const tried = [0];
  if (isEnd[0]) yield new Path(graph, []);
  while (tried.length > 0) {
    const state = steps.at(-1)?.to ?? 0;
    const next = tried.at(-1) ?? 0;
    const edge = onward[state]?.[next];
    if (edge === undefined) {
      isOn[state] = false;
      tried.pop();
      steps.pop();
      continue;
    }
    tried[tried.length - 1] = next + 1;
    if (isOn[edge.to]) continue;
    isOn[edge.to] = true;
    steps.push(edge);
    tried.push(0);
    if (isEnd[edge.to]) yield new Path(graph, [...steps]);
  }
}
