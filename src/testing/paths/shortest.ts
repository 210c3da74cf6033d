import type { AnyStateMachine } from 'xstate';
import type { SnapshotOf } from '../chart.ts';
import type { Graph } from '../graph.ts';
import { Path } from './path.ts';

/** Which paths are wanted. */
export interface Wanted<Machine extends AnyStateMachine> {
  /** Where a path may end; anywhere where left out. */
  readonly to?: (snapshot: SnapshotOf<Machine>) => boolean;
}

/** One shortest path to each state, the nearest first. */
export const shortestPaths = <Machine extends AnyStateMachine>(
  graph: Graph<Machine>,
  { to = () => true }: Wanted<Machine> = {},
): readonly Path<Machine>[] =>
  [...graph.states.entries()]
    .filter(([, snapshot]) => to(snapshot))
    .map(([state]) => new Path(graph, graph.wayTo(state)));
