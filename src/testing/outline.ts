import { createMachine, type AnyStateMachine } from 'xstate';
import type { SnapshotOf } from './chart.ts';
import type { Graph } from './graph.ts';

/**
 * Returns a summary of a graph as a chart: a state for each label, and an event for each step between labels.
 *
 * Event names include the target, so that each has one outcome. Steps within a label are omitted. A path of
 * the summary may not be a path of the graph, but each of its steps is a step of it.
 */
export const outlineOf = <Machine extends AnyStateMachine>(
  graphs: readonly Graph<Machine>[],
  labelOf: (snapshot: SnapshotOf<Machine>) => string,
) => {
  const states = new Map<string, Map<string, string>>();
  for (const graph of graphs) {
    const labels = graph.states.map((snapshot) => labelOf(snapshot).replaceAll('.', ' ')); // state names must not contain a dot
    for (const label of labels) if (!states.has(label)) states.set(label, new Map());
    for (const { from, event, to } of graph.edges) {
      const [source = '', target = ''] = [labels[from], labels[to]];
      if (source !== target) states.get(source)?.set(`${event.type} to ${target}`, target);
    }
  }
  const [initial = ''] = states.keys();
  return createMachine({
    id: 'outline',
    initial,
    states: Object.fromEntries([...states].map(([label, on]) => [label, { on: Object.fromEntries(on) }])),
  });
};
