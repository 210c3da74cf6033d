import { getAdjacencyMap } from '@xstate/graph';
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
  readonly start: string;
  readonly states: ReadonlyMap<string, CharterSnapshot>;
  readonly edges: readonly Edge[];
  readonly leaving: ReadonlyMap<string, readonly Edge[]>;
}

type Adjacency = Readonly<
  Record<
    string,
    {
      readonly state: CharterSnapshot;
      readonly transitions: Readonly<Record<string, { readonly event: Fact; readonly state: CharterSnapshot }>>;
    }
  >
>;

export const inputOf = ({ taskClass }: Configuration) => ({
  taskClass: { id: 'class', ...taskClass },
  request: requests[0],
});

/** Facts that the chart takes where it stands; a settled run takes none. */
const taken = (configuration: Configuration) => (snapshot: CharterSnapshot) =>
  snapshot.status === 'active'
    ? alphabet(configuration, snapshot.context).filter((fact) => snapshot.can(fact))
    : [];

/** Every state that facts can lead to. A chart that outgrows the limit throws. */
export const explore = (chart: Chart, configuration: Configuration, limit = 30_000): Graph => {
  const map: Adjacency = getAdjacencyMap<CharterSnapshot, Fact, unknown>(chart, {
    input: inputOf(configuration),
    events: taken(configuration),
    serializeState: keyOf,
    limit,
  });
  const states = new Map(Object.entries(map).map(([key, { state }]) => [key, state]));
  const leaving = new Map(
    Object.entries(map).map(([from, { transitions }]) => [
      from,
      Object.values(transitions).map(({ event, state }): Edge => ({ from, fact: event, to: keyOf(state) })),
    ]),
  );
  const [start = ''] = states.keys();
  return { start, states, edges: [...leaving.values()].flat(), leaving };
};
