import { getAdjacencyMap, getShortestPaths } from '@xstate/graph';
import type { ActorLogic } from 'xstate';
import { executionMachine, taskMachine, type CharterSnapshot, type Fact } from '../../machines/index.ts';
import { alphabet, keyOf, requests, type Configuration } from './alphabet.ts';

/** Either chart, seen as the one kind of logic that the graph tools take. */
export type Chart = ActorLogic<CharterSnapshot, Fact, unknown>;

export const charts = {
  task: taskMachine as unknown as Chart,
  execution: executionMachine as unknown as Chart,
} as const;

export interface Edge {
  readonly from: string;
  readonly fact: Fact;
  readonly to: string;
}

export interface Graph {
  readonly states: ReadonlyMap<string, CharterSnapshot>;
  readonly edges: readonly Edge[];
  readonly leaving: ReadonlyMap<string, readonly Edge[]>;
  /** The shortest way to each state: the steps, and the key of the state that each leads to. */
  readonly ways: ReadonlyMap<string, readonly Step[]>;
}

export type Step = Pick<Edge, 'fact' | 'to'>;

interface Arrival {
  readonly event: Fact;
  readonly state: CharterSnapshot;
}

interface Departure {
  readonly state: CharterSnapshot;
  readonly transitions: Readonly<Record<string, Arrival>>;
}

interface Path {
  readonly state: CharterSnapshot;
  /** The first step is `xstate.init`. */
  readonly steps: readonly Arrival[];
}

export const inputOf = ({ taskClass }: Configuration) => ({
  taskClass: { id: 'class', ...taskClass },
  request: requests[0],
});

/** Works a thing out once: the graph tools walk a chart each for itself. */
export const once = <Key extends object, Value>(make: (key: Key) => Value) => {
  const made = new WeakMap<Key, Value>();
  return (key: Key): Value => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key) as Value;
  };
};

/** The chart, with every step that was taken remembered. */
const remembering = (chart: Chart): Chart => {
  const steps = once<CharterSnapshot, Map<Fact, CharterSnapshot>>(() => new Map());
  let initial: CharterSnapshot | undefined;
  return {
    getPersistedSnapshot: chart.getPersistedSnapshot,
    getInitialSnapshot: (scope, input) => (initial ??= chart.getInitialSnapshot(scope, input)),
    transition: (snapshot, fact, scope) => {
      const from = steps(snapshot);
      const known = from.get(fact) ?? chart.transition(snapshot, fact, scope);
      from.set(fact, known);
      return known;
    },
  };
};

/** Facts that the chart takes where it stands; a settled run takes none. */
const taken = (configuration: Configuration) =>
  once((snapshot: CharterSnapshot) =>
    snapshot.status === 'active'
      ? alphabet(configuration, snapshot.context).filter((fact) => snapshot.can(fact))
      : [],
  );

/** Every state that facts can lead to, by every fact that is taken there. A chart that outgrows the limit throws. */
export const explore = (chart: Chart, configuration: Configuration, limit = 20_000): Graph => {
  const logic = remembering(chart);
  const key = once(keyOf);
  const options = {
    input: inputOf(configuration),
    events: taken(configuration),
    serializeState: (snapshot: CharterSnapshot) => key(snapshot),
    limit,
  };
  const map = getAdjacencyMap(logic, options) as unknown as Readonly<Record<string, Departure>>;
  const shortest: readonly Path[] = getShortestPaths(logic, options);
  const leaving = new Map(
    Object.entries(map).map(([from, { transitions }]) => [
      from,
      Object.values(transitions).map(({ event, state }): Edge => ({ from, fact: event, to: key(state) })),
    ]),
  );
  return {
    states: new Map(Object.entries(map).map(([key, { state }]) => [key, state])),
    edges: [...leaving.values()].flat(),
    leaving,
    ways: new Map(
      shortest.map(({ state, steps }) => [
        key(state),
        steps.slice(1).map(({ event, state }): Step => ({ fact: event, to: key(state) })),
      ]),
    ),
  };
};
