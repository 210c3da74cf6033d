import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { causeOf } from '../base/errors.ts';
import { check } from './check.ts';
import { stepper, type SnapshotOf } from './chart.ts';
import { eventText } from './event-text.ts';
import { explore, type Exploration } from './explore.ts';
import type { Graph } from './graph.ts';
import { mutantsOf, type Mutant } from './mutants.ts';
import type { Property } from './property.ts';

/** A small set of events, and the properties to check with it. */
export interface Trial<Machine extends AnyStateMachine> {
  readonly exploration: Exploration<Machine>;
  readonly properties: readonly Property<Machine>[];
}

/** What killed a mutant: a property; an error; a path with another result; or nothing. */
export interface Verdict {
  readonly mutant: string;
  readonly caughtBy: 'property' | 'error' | 'path' | null;
  /** The name of the property, error or path. */
  readonly reason: string;
}

interface Sound<Machine extends AnyStateMachine> extends Trial<Machine> {
  readonly graph: Graph<Machine>;
}

type Caught = Omit<Verdict, 'mutant'>;

/** Returns whether two snapshots are equal, including the context that the key ignores. */
const isSame = <Machine extends AnyStateMachine>(
  graph: Graph<Machine>,
  snapshot: SnapshotOf<Machine>,
  state: number,
  isFirst: boolean,
): boolean =>
  graph.keyOf(snapshot) === graph.keyOf(graph.at(state)) &&
  (!isFirst || contextOf(snapshot) === contextOf(graph.at(state)));

const contextOf = ({ context }: AnyMachineSnapshot): string => JSON.stringify(context);

/** Returns the first step of a graph that has another result in another chart. */
const firstDifference = <Machine extends AnyStateMachine>(
  machine: Machine,
  graph: Graph<Machine>,
): Caught | null => {
  const { initial, step } = stepper(machine, graph.input);
  const begun = graph.after.reduce(step, initial());
  if (!isSame(graph, begun, 0, true)) return { caughtBy: 'path', reason: '' };
  const shown = new Map<number, SnapshotOf<Machine>>([[0, begun]]);
  for (const { from, event, to } of graph.edges) {
    const before = shown.get(from);
    const after = before && step(before, event);
    if (after === undefined || !isSame(graph, after, to, !shown.has(to)))
      return {
        caughtBy: 'path',
        reason: graph
          .wayTo(from)
          .map((edge) => eventText(edge.event))
          .join(', '),
      };
    if (!shown.has(to)) shown.set(to, after);
  }
  return null;
};

/** Returns the first property that a mutant breaks. */
const breachOf = <Machine extends AnyStateMachine>(
  machine: Machine,
  { exploration, properties, graph }: Sound<Machine>,
): Caught | null => {
  const mutated = explore(machine, {
    ...exploration,
    limit: graph.states.length * 4 + 100,
  });
  const broken = properties.find((property) => check(mutated, [property]).length > 0);
  return broken === undefined ? null : { caughtBy: 'property', reason: broken.name };
};

const judge = <Machine extends AnyStateMachine>(
  { name: mutant, machine }: Mutant<Machine>,
  trials: readonly Sound<Machine>[],
): Verdict => {
  const asks = [
    ...trials.map((trial) => () => breachOf(machine, trial)),
    ...trials.map(
      ({ graph }) =>
        () =>
          firstDifference(machine, graph),
    ),
  ];
  for (const ask of asks)
    try {
      const caught = ask();
      if (caught !== null) return { mutant, ...caught };
    } catch (error) {
      return { mutant, caughtBy: 'error', reason: causeOf(error) };
    }
  return { mutant, caughtBy: null, reason: '' };
};

/** Runs the mutants of a chart, and returns what killed each. Properties are tried before paths. */
export const sharpnessOf = <Machine extends AnyStateMachine>(
  machine: Machine,
  trials: readonly Trial<Machine>[],
): readonly Verdict[] => {
  const sound = trials.map((trial) => ({
    ...trial,
    graph: explore(machine, trial.exploration),
  }));
  return mutantsOf(machine).map((mutant) => judge(mutant, sound));
};
