import { getShortestPaths } from '@xstate/graph';
import { taskMachine, type Fact } from 'agentcharter/machines';
import type { Edge, World } from 'agentcharter/testing';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { stepper } from '../../../../../src/testing/chart.ts';
import { transitionsOf } from '../../../../../src/testing/coverage.ts';
import { nodesOf } from '../../../../../src/testing/key.ts';
import { Path } from '../../../../../src/testing/paths/path.ts';
import { limitWorlds } from '../../../../machines/limit-worlds.ts';
import { ofBareChart } from './bare.ts';
import { eagerFacts, type TaskSnapshot } from './eager.ts';
import { eagerGraph, replayOnOrchestrator, throughOwn } from './replay.ts';
import { largeWorlds, smallWorlds } from './worlds.ts';

/** The worlds whose shortest paths reach, together, what an eager orchestrator can reach. */
const worlds: readonly World[] = [
  ...smallWorlds,
  ...[...largeWorlds, ...limitWorlds].filter(({ name }) =>
    [
      'a read, with every way of the model to fall short, and further reads',
      'two reads that ask and wait',
      'a model that uses up its turns',
      'more calls than the limit takes',
    ].includes(name),
  ),
];

interface Found {
  readonly state: TaskSnapshot;
  readonly steps: readonly { readonly event: Fact | { readonly type: 'xstate.init' } }[];
}

type TaskPath = Path<typeof taskMachine>;
interface Chosen {
  readonly world: World;
  readonly path: TaskPath;
}

/** Returns the shortest paths of @xstate/graph to every state of an orchestrator in a world. */
const shortestIn = (world: World): readonly TaskPath[] => {
  const graph = eagerGraph(world, new Map());
  const facts = eagerFacts(world, new Map());
  const found = getShortestPaths(
    taskMachine as never,
    {
      input: graph.input,
      serializeState: graph.keyOf,
      events: (snapshot: TaskSnapshot) => facts(snapshot).filter((fact) => snapshot.can(fact)),
    } as never,
  ) as unknown as readonly Found[];
  expect(found.length).toBe(graph.states.length);
  return found.map(({ steps }) => {
    const edges: Edge<Fact>[] = [];
    for (const { event } of steps) {
      if (event.type === 'xstate.init') continue;
      const edge = graph.leaving(edges.at(-1)?.to ?? 0).find((one) => isDeepStrictEqual(one.event, event));
      if (edge === undefined) throw new Error(`${JSON.stringify(event)} is no step of the graph`);
      edges.push(edge);
    }
    return new Path(graph, edges);
  });
};

const names = transitionsOf(taskMachine);

/** Returns what a step of a path goes through: transitions, and states that decide at once included. */
const goalsOf = ({ graph }: TaskPath, { from, event }: Edge<Fact>): ReadonlySet<string> => {
  const goals = new Set<string>();
  const { step } = stepper(taskMachine, graph.input, (taken, { _nodes: active }) => {
    for (const one of taken) goals.add(names.get(one) ?? '');
    for (const { id } of active) goals.add(id);
  });
  step(graph.at(from), event);
  return goals;
};

/** The shortest path to each state and through each transition. */
const chosen = new Map<string, Chosen>();
const length = ({ steps }: TaskPath): number => steps.length;

test('@xstate/graph finds a path to each state and transition that an orchestrator reaches', () => {
  for (const world of worlds)
    for (const path of shortestIn(world))
      for (const edge of path.graph.leaving(path.end)) {
        const longer = new Path(path.graph, [...path.steps, edge]);
        for (const goal of goalsOf(path, edge))
          if (length(chosen.get(goal)?.path ?? longer) >= length(longer))
            chosen.set(goal, { world, path: longer });
      }
  const states = nodesOf(taskMachine.root).flatMap(({ id, type }) => (type === 'history' ? [] : id));
  expect([...states, ...names.values()].filter((goal) => !chosen.has(goal))).toEqual(
    Object.keys(ofBareChart),
  );
});

test('an orchestrator takes each of these paths, to each state and through each transition', async () => {
  const paths = [...new Map([...chosen.values()].map((one) => [one.path, one])).values()];
  for (const { world, path } of paths) await replayOnOrchestrator(world, throughOwn(path));
  console.log(
    `task: ${paths.length} shortest paths of @xstate/graph run through the orchestrator, to ${chosen.size} states and transitions`,
  );
  expect(paths.length).toBeGreaterThan(40);
});
