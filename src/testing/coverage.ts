import { and, or, type AnyMachineSnapshot, type AnyStateMachine, type AnyTransitionDefinition } from 'xstate';
import { stepper, type SnapshotOf } from './chart.ts';
import type { Graph } from './graph.ts';
import { guardsOf, isCombined } from './guards.ts';
import { nodesOf } from './key.ts';

/** The parts of a chart that a graph covers, and the names of those that it does not. */
export interface Coverage {
  readonly states: {
    readonly seen: number;
    readonly unseen: readonly string[];
  };
  readonly transitions: {
    readonly seen: number;
    readonly unseen: readonly string[];
  };
  /** Named guards: each can return true and false. */
  readonly guards: {
    readonly seen: number;
    readonly unseen: readonly string[];
  };
}

type Guards = AnyStateMachine['implementations']['guards'];

/** Returns guards that record their results. XState evaluates combined guards (`and`, `or`, `not`) itself. */
const watched = (guards: Guards, note: (name: string, verdict: boolean) => void): Guards => {
  const noted = (name: string, verdict: boolean): boolean => {
    note(name, verdict);
    return verdict;
  };
  const watch = (name: string, guard: unknown): unknown =>
    isCombined(guard)
      ? or([and([guard as never, () => noted(name, true)]), () => noted(name, false)])
      : (...given: readonly unknown[]) =>
          noted(name, (guard as (...given: readonly unknown[]) => boolean)(...given));
  return Object.fromEntries(
    Object.entries(guards).map(([name, guard]) => [name, watch(name, guard)]),
  ) as Guards;
};

/** Returns every transition of a chart with its name: source, event and branch. */
export const transitionsOf = (machine: AnyStateMachine): ReadonlyMap<AnyTransitionDefinition, string> =>
  new Map(
    nodesOf(machine.root).flatMap((node) =>
      [...node.transitions, ['always', node.always ?? []] as const].flatMap(([on, branches]) =>
        branches.map((definition, branch) => [definition, `${node.id} ${on}[${branch}]`] as const),
      ),
    ),
  );

const split = (all: readonly string[], seen: ReadonlySet<string>) => ({
  seen: all.filter((name) => seen.has(name)).length,
  unseen: all.filter((name) => !seen.has(name)),
});

/** Returns the guard results and transitions while the events of some graphs are replayed. */
const seenIn = <Machine extends AnyStateMachine>(machine: Machine, graphs: readonly Graph<Machine>[]) => {
  const seen = {
    states: new Set<string>(),
    transitions: new Set<string>(),
    guards: new Set<string>(),
  };
  const watching = machine.provide({
    guards: watched(machine.implementations.guards, (name, verdict) =>
      seen.guards.add(`${name}: ${verdict}`),
    ),
  });
  const names = new Map([...transitionsOf(machine), ...transitionsOf(watching)]);
  for (const graph of graphs) {
    const { initial, step } = stepper(watching, graph.input, (taken, { _nodes: active }) => {
      for (const transition of taken) seen.transitions.add(names.get(transition) ?? '');
      for (const { id } of active) seen.states.add(id);
    });
    const begun: AnyMachineSnapshot = initial();
    for (const { id } of begun._nodes) seen.states.add(id);
    graph.after.reduce(step, begun as SnapshotOf<Machine>);
    for (const snapshot of graph.states) {
      const state: AnyMachineSnapshot = snapshot;
      if (state.status !== 'active') continue; // it refuses every event without asking a guard
      for (const event of graph.eventsIn(snapshot))
        step({ ...state, machine: watching } as SnapshotOf<Machine>, event);
    }
  }
  return seen;
};

/** Returns the joint coverage of graphs. Refused events count for the guards that refused them. */
export const coverageOf = <Machine extends AnyStateMachine>(
  ...graphs: readonly [Graph<Machine>, ...Graph<Machine>[]]
): Coverage => {
  const [{ machine }] = graphs;
  const seen = seenIn(machine, graphs);
  const states = nodesOf(machine.root).filter(({ type }) => type !== 'history');
  const verdicts = guardsOf(machine).flatMap((name) => [`${name}: true`, `${name}: false`]);
  return {
    states: split(
      states.map(({ id }) => id),
      seen.states,
    ),
    transitions: split([...transitionsOf(machine).values()], seen.transitions),
    guards: split(verdicts, seen.guards),
  };
};
