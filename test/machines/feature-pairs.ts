import type { Graph } from '../../src/testing/graph.ts';
import { taskMachine } from '../../machines/index.ts';
import { charterProperties, check, type World } from 'agentcharter/testing';
import { pairName, pairsOfFeatures, worldsFor } from './feature-worlds.ts';
import { features } from './features.ts';
import { graphIn } from './walks.ts';

type TaskGraph = Graph<typeof taskMachine>;

/** The states that a run may come to from these. */
const reachedFrom = (graph: TaskGraph, states: readonly number[]): ReadonlySet<number> => {
  const reached = new Set(states);
  for (const state of reached) for (const { to } of graph.leaving(state)) reached.add(to);
  return reached;
};

/** The pairs of features that one run of a graph shows: in one step, or one after the other. */
export const pairsIn = (graph: TaskGraph): readonly string[] => {
  const shown = features.map(({ name, shows }) => {
    const edges = graph.edges.filter(({ from, event, to }) =>
      shows({ before: graph.at(from).context, fact: event, after: graph.at(to).context }),
    );
    return {
      name,
      edges: new Set(edges),
      after: reachedFrom(
        graph,
        edges.map(({ to }) => to),
      ),
    };
  });
  return shown.flatMap((one, at) =>
    shown
      .slice(at + 1)
      .filter(
        (other) =>
          [...one.edges].some((edge) => other.edges.has(edge) || other.after.has(edge.from)) ||
          [...other.edges].some(({ from }) => one.after.has(from)),
      )
      .map((other) => pairName(one.name, other.name)),
  );
};

/** Each ends a run that does not fail yet, and is not told to one that does. */
const ends = [
  'a policy that denies',
  'the model is late',
  'evidence is changed',
  'a draft is changed',
  'turns run out',
  'calls run out',
];

const notBesideHost =
  'When the host stays away, a person keeps what was done or gives it up: both end the run.';

const reasons: ReadonlyMap<string, string> = new Map([
  ...ends.flatMap((one, at) =>
    ends
      .slice(at + 1)
      .map(
        (other) => [pairName(one, other), 'Each ends the run. None is told to a run that fails.'] as const,
      ),
  ),
  [pairName('a policy that denies', 'the host stays away'), `A denial ends the run. ${notBesideHost}`],
  [
    pairName('the model is late', 'the host stays away'),
    'A task class waits for its model or for a host, never for both.',
  ],
  [
    pairName('a draft is changed', 'the host stays away'),
    `The host is waited for while there is no draft. ${notBesideHost}`,
  ],
  [
    pairName('turns run out', 'the host stays away'),
    `No turn is waited for that may not come. ${notBesideHost}`,
  ],
  [pairName('calls run out', 'the host stays away'), `No call is made beside a turn. ${notBesideHost}`],
]);

/** Pairs of features that no run can show, and why. */
export const impossible: ReadonlyMap<string, string> = new Map(
  pairsOfFeatures.flatMap(({ name }) => {
    const why = reasons.get(name);
    return why === undefined ? [] : [[name, why] as const];
  }),
);

/** Where every two features meet. */
export interface PairTable {
  /** In the worlds of the proof. */
  readonly inWorlds: ReadonlySet<string>;
  /** In a world of their own. */
  readonly inOwnWorlds: ReadonlySet<string>;
  /** Nowhere. */
  readonly unmet: readonly string[];
  readonly worlds: number;
  readonly states: number;
  readonly steps: number;
  /** What is asked of the chart, and broken in one of these worlds. */
  readonly broken: readonly string[];
}

/** The properties of a chart, but that it can settle: these worlds do not hear all that would settle it. */
const askedOf = (world: World) =>
  charterProperties<typeof taskMachine>(world).filter(({ kind }) => kind !== 'reachable');

/** Looks for every two features in one run: in these graphs, then in worlds made for the two, where the properties are asked as well. */
export const pairTable = (graphs: readonly TaskGraph[]): PairTable => {
  const inWorlds = new Set(graphs.flatMap(pairsIn));
  const inOwnWorlds = new Set<string>();
  const seen = { worlds: 0, states: 0, steps: 0 };
  const broken: string[] = [];
  const isMet = (name: string): boolean => inWorlds.has(name) || inOwnWorlds.has(name);
  const explored = (world: World): void => {
    const graph = graphIn(taskMachine, world);
    seen.worlds += 1;
    seen.states += graph.states.length;
    seen.steps += graph.edges.length;
    broken.push(...check(graph, askedOf(world)).map(({ trace }) => `${world.name}: ${trace}`));
    for (const pair of pairsIn(graph)) if (!inWorlds.has(pair)) inOwnWorlds.add(pair);
  };
  for (const { name, one, other } of pairsOfFeatures)
    for (const world of worldsFor(one, other)) if (!isMet(name)) explored(world);
  return {
    inWorlds,
    inOwnWorlds,
    unmet: pairsOfFeatures.map(({ name }) => name).filter((name) => !isMet(name)),
    ...seen,
    broken,
  };
};
