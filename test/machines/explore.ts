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

/** Facts that the chart takes where it stands; a settled run takes none. */
const taken = (configuration: Configuration) => (snapshot: CharterSnapshot) =>
  snapshot.status === 'active'
    ? alphabet(configuration, snapshot.context).filter((fact) => snapshot.can(fact))
    : [];

/** Every state that facts can lead to, by every fact that is taken there. A chart that outgrows the limit throws. */
export const explore = (chart: Chart, configuration: Configuration, limit = 20_000): Graph => {
  const options = {
    input: inputOf(configuration),
    events: taken(configuration),
    serializeState: keyOf,
    limit,
  };
  const map = getAdjacencyMap(chart, options) as unknown as Readonly<Record<string, Departure>>;
  const shortest: readonly Path[] = getShortestPaths(chart, options);
  const leaving = new Map(
    Object.entries(map).map(([from, { transitions }]) => [
      from,
      Object.values(transitions).map(({ event, state }): Edge => ({ from, fact: event, to: keyOf(state) })),
    ]),
  );
  return {
    states: new Map(Object.entries(map).map(([key, { state }]) => [key, state])),
    edges: [...leaving.values()].flat(),
    leaving,
    ways: new Map(
      shortest.map(({ state, steps }) => [
        keyOf(state),
        steps.slice(1).map(({ event, state }): Step => ({ fact: event, to: keyOf(state) })),
      ]),
    ),
  };
};
