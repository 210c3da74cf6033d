import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createActor, type InspectionEvent } from 'xstate';
import { executionMachine, taskMachine, type Fact } from '../../machines/index.ts';
import { hostile, keyOf, type Configuration } from './alphabet.ts';
import { configurations } from './configurations.ts';
import { charts, explore, inputOf, once, type Step } from './explore.ts';
import { asked, broken, tell } from './properties/broken.ts';
import { nameOf, nodesOf, transitionsOf } from './transitions.ts';

const machines = { task: taskMachine, execution: executionMachine } as const;

/** Both charts have one input, one context and one vocabulary of facts. */
const machineOf = (kind: keyof typeof machines) => machines[kind] as typeof taskMachine;

/** What the paths went through. */
class Seen {
  readonly transitions = new Set<unknown>();
  readonly nodes = new Set<string>();

  readonly note = (inspected: InspectionEvent): void => {
    if (inspected.type !== '@xstate.microstep') return;
    for (const transition of inspected._transitions) this.transitions.add(transition);
    const { _nodes } = inspected.snapshot as unknown as { readonly _nodes: readonly { id: string }[] };
    for (const { id } of _nodes) this.nodes.add(id);
  };
}

/**
 * Sends each fact of a path to a live actor: the states that it shows, and what is stored of it before and after the
 * last fact.
 */
const replay = (
  kind: keyof typeof machines,
  configuration: Configuration,
  path: readonly Step[],
  seen: Seen,
) => {
  const actor = createActor(machineOf(kind), { input: inputOf(configuration), inspect: seen.note }).start();
  const show = ({ fact }: Step): string => {
    actor.send(fact);
    return keyOf(actor.getSnapshot());
  };
  const shown = path.slice(0, -1).map(show);
  const before = JSON.stringify(actor.getPersistedSnapshot());
  shown.push(...path.slice(-1).map(show));
  return { shown, before, after: JSON.stringify(actor.getPersistedSnapshot()) };
};

/** What is stored after a fact came to a task that was read back from storage. */
const restoredAnd = (kind: keyof typeof machines, stored: string, fact: Fact): string => {
  const snapshot = JSON.parse(stored) as ReturnType<ReturnType<typeof machineOf>['getPersistedSnapshot']>;
  const actor = createActor(machineOf(kind), { snapshot, input: undefined as never }).start();
  actor.send(fact);
  return JSON.stringify(actor.getPersistedSnapshot());
};

/** Walks every world of a chart to its ends, once, and asks of it all that is asked of every world. */
export const walk = (kind: keyof typeof machines): void => {
  const graphOf = once((configuration: Configuration) => explore(charts[kind], configuration));
  const seen = new Seen();
  const total = { states: 0, steps: 0, paths: 0, refused: 0 };

  const worlds = configurations.filter(({ nested }) => kind === 'task' || nested !== true);

  describe.each(worlds)('$name', (configuration) => {
    test('is safe in every state and in every step', () => {
      const graph = graphOf(configuration);
      total.states += graph.states.size;
      total.steps += graph.edges.length;
      expect(graph.states.size).toBeGreaterThan(1);
      expect(graph.ways.size).toBe(graph.states.size);
      expect(broken(graph, configuration, kind === 'task')).toEqual({});
    });

    test('takes no fact that is not about it', () => {
      const { states, ways } = graphOf(configuration);
      const taken = new Map<string, string>();
      for (const [key, snapshot] of states)
        for (const fact of hostile(configuration, snapshot.context))
          if (snapshot.can(fact)) taken.set(key, tell([...(ways.get(key) ?? []), { fact }]));
          else total.refused += 1;
      expect([...taken.values()]).toEqual([]);
    });

    test('shows the same states to a live actor, saved and restored before a step or not', () => {
      const graph = graphOf(configuration);
      for (const [key, way] of graph.ways)
        for (const edge of graph.leaving.get(key) ?? []) {
          const path = [...way, edge];
          const { shown, before, after } = replay(kind, configuration, path, seen);
          const isFaithful = isDeepStrictEqual(
            shown,
            path.map(({ to }) => to),
          );
          if (!isFaithful || restoredAnd(kind, before, edge.fact) !== after)
            expect.fail(`${isFaithful ? 'restored' : 'live'}: ${tell(path)}`);
          total.paths += 1;
        }
    });
  });

  test('the paths take every transition and visit every state', () => {
    const transitions = transitionsOf(machines[kind]);
    const untaken = transitions.filter(({ definition }) => !seen.transitions.has(definition)).map(nameOf);
    const nodes = nodesOf(machines[kind].root).filter(({ type }) => type !== 'history');
    const unseen = nodes.map(({ id }) => id).filter((id) => !seen.nodes.has(id));
    console.log(
      `${kind}: ${total.states} states, ${total.steps} steps, ${total.paths} paths replayed, ` +
        `${total.refused} hostile facts refused, ${asked} properties; ` +
        `${transitions.length - untaken.length} of ${transitions.length} transitions, ` +
        `${nodes.length - unseen.length} of ${nodes.length} states of the chart`,
    );
    expect(untaken).toEqual([]);
    expect(unseen).toEqual([]);
    expect(total.paths).toBe(total.steps);
    expect(total.paths).toBeGreaterThan(4000);
    expect(total.refused).toBeGreaterThan(100_000);
  });
};
