import { createActor } from 'xstate';
import { describe, expect, test } from 'vitest';
import { executionMachine, taskMachine } from '../../machines/index.ts';
import { keyOf } from './alphabet.ts';
import { configurations } from './configurations.ts';
import { charts, explore, inputOf, type Step } from './explore.ts';
import type { Configuration } from './alphabet.ts';
import { nameOf, nodesOf, transitionsOf } from './transitions.ts';

const machines = { task: taskMachine, execution: executionMachine } as const;

/** The machines share their root facts; nobody is there to answer in the execution machine alone. */
const neverTaken = { task: [], execution: ['execution human.responded[0] concernsRun'] } as const;

interface Seen {
  readonly transitions: Set<unknown>;
  readonly nodes: Set<string>;
}

/** Sends each fact of a path to a live actor, and gives the key of each state that it then shows. */
const replay = (
  kind: keyof typeof machines,
  configuration: Configuration,
  path: readonly Step[],
  seen: Seen,
): readonly string[] => {
  const actor = createActor(taskMachineLike(kind), {
    input: inputOf(configuration),
    inspect: (inspected) => {
      if (inspected.type !== '@xstate.microstep') return;
      for (const transition of inspected._transitions) seen.transitions.add(transition);
      const { _nodes } = inspected.snapshot as unknown as {
        readonly _nodes: readonly { readonly id: string }[];
      };
      for (const { id } of _nodes) seen.nodes.add(id);
    },
  }).start();
  return path.map(({ fact }) => {
    actor.send(fact);
    return keyOf(actor.getSnapshot());
  });
};

/** Both charts have one input, one context and one vocabulary of facts. */
const taskMachineLike = (kind: keyof typeof machines) => machines[kind] as typeof taskMachine;

describe.each(['task', 'execution'] as const)('the paths through the %s chart', (kind) => {
  const seen: Seen = { transitions: new Set(), nodes: new Set() };
  const total = { states: 0, edges: 0, paths: 0 };

  test.each(configurations)('show the same states on a live actor: $name', (configuration) => {
    const graph = explore(charts[kind], configuration);
    let paths = 0;
    for (const [key, way] of graph.ways)
      for (const edge of graph.leaving.get(key) ?? []) {
        const path = [...way, edge];
        expect(replay(kind, configuration, path, seen)).toEqual(path.map(({ to }) => to));
        paths += 1;
      }
    expect(graph.ways.size).toBe(graph.states.size);
    expect(paths).toBe(graph.edges.length);
    total.states += graph.states.size;
    total.edges += graph.edges.length;
    total.paths += paths;
  });

  test('take every transition and visit every state', () => {
    const transitions = transitionsOf(machines[kind]);
    const untaken = transitions.filter(({ definition }) => !seen.transitions.has(definition)).map(nameOf);
    const nodes = nodesOf(machines[kind].root).filter(({ type }) => type !== 'history');
    console.log(
      `${kind}: ${total.states} states, ${total.edges} edges, ${total.paths} paths replayed; ` +
        `${transitions.length - untaken.length} of ${transitions.length} transitions, ` +
        `${nodes.filter(({ id }) => seen.nodes.has(id)).length} of ${nodes.length} states`,
    );
    expect(untaken).toEqual(neverTaken[kind]);
    expect(nodes.map(({ id }) => id).filter((id) => !seen.nodes.has(id))).toEqual([]);
    expect(total.paths).toBeGreaterThan(kind === 'task' ? 10_000 : 5_000);
  });
});
