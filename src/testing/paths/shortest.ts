import type { AnyStateMachine } from 'xstate';
import type { SnapshotOf } from '../chart.ts';
import type { Graph } from '../graph.ts';
import { Path } from './path.ts';

/** A filter of paths. */
export interface Wanted<Machine extends AnyStateMachine> {
  /** Whether a path may end in a state. By default, any state. */
  readonly to?: (snapshot: SnapshotOf<Machine>) => boolean;
}

/** Returns a shortest path to each state, nearest first. */
export const shortestPaths = <Machine extends AnyStateMachine>(
  graph: Graph<Machine>,
  { to = () => true }: Wanted<Machine> = {},
): readonly Path<Machine>[] =>
  [...graph.states.entries()]
    .filter(([, snapshot]) => to(snapshot))
    .map(([state]) => new Path(graph, graph.wayTo(state)));
