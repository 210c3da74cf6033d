import { createMachine, type AnyStateMachine } from 'xstate';
import type { SnapshotOf } from './chart.ts';
import type { Graph } from './graph.ts';

/**
 * A graph seen from afar, as a chart of its own: one state for each label, and each event that leads from one to another.
 *
 * Its events are named after the original's and where they lead, so that none of them has two outcomes. What goes on below
 * a label is not told: a path of the outline need not be a path of the graph, but each of its steps is a step of it.
 */
export const outlineOf = <Machine extends AnyStateMachine>(
  graphs: readonly Graph<Machine>[],
  labelOf: (snapshot: SnapshotOf<Machine>) => string,
) => {
  const states = new Map<string, Map<string, string>>();
  for (const graph of graphs) {
    const labels = graph.states.map((snapshot) => labelOf(snapshot).replaceAll('.', ' ')); // a state's name has no dot
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
