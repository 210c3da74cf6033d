import { edgeCover, explore, type Graph } from 'agentcharter/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMachine, type AnyStateMachine } from 'xstate';
import { runs } from '../../../machines/generated.ts';

/** A chart whose states are numbers, and whose steps are called after where they lead. */
const chartOf = (ways: readonly (readonly [number, number])[], count: number): Graph<AnyStateMachine> => {
  const places = Array.from({ length: count }, (_, at) => `p${at}`);
  const machine = createMachine({
    initial: 'p0',
    states: Object.fromEntries(
      places.map((place, at) => [
        place,
        {
          on: Object.fromEntries(ways.filter(([from]) => from === at).map(([, to]) => [`p${to}`, `p${to}`])),
        },
      ]),
    ),
  });
  return explore<AnyStateMachine>(machine, { events: places.map((type) => ({ type })) });
};

/** How many steps it would take to go to each step by itself. */
const oneByOne = (graph: Graph<AnyStateMachine>): number =>
  graph.edges.reduce((sum, { from }) => sum + graph.wayTo(from).length + 1, 0);

const lengthOf = (paths: ReturnType<typeof edgeCover<AnyStateMachine>>): number =>
  paths.reduce((sum, { steps }) => sum + steps.length, 0);

test('covers a cycle with one path around it', () => {
  const paths = edgeCover(
    chartOf(
      [
        [0, 1],
        [1, 2],
        [2, 0],
      ],
      3,
    ),
  );
  expect(paths.map(({ title }) => title)).toEqual(['p0 after p1, p2, p0']);
});

test('covers a tree with one path to each leaf', () => {
  const paths = edgeCover(
    chartOf(
      [
        [0, 1],
        [0, 2],
        [1, 3],
        [1, 4],
        [2, 5],
        [2, 6],
      ],
      7,
    ),
  );
  expect(paths.map(({ end, graph }) => String(graph.at(end).value)).toSorted()).toEqual([
    'p3',
    'p4',
    'p5',
    'p6',
  ]);
});

test('returns no path for a chart without steps', () => {
  expect(edgeCover(chartOf([], 1))).toEqual([]);
});

test('covers every step from the initial state, in no more events than one path a step', () => {
  let edges = 0;
  let steps = 0;
  let apart = 0;
  const way = fc.tuple(fc.nat(7), fc.nat(7)).filter(([from, to]) => from !== to);
  fc.assert(
    fc.property(fc.array(way, { minLength: 4, maxLength: 30 }), (ways) => {
      const graph = chartOf(ways, 8);
      const paths = edgeCover(graph);
      expect(new Set(paths.flatMap((path) => path.steps))).toEqual(new Set(graph.edges));
      for (const path of paths) {
        let state = 0;
        for (const { from, to } of path.steps) {
          expect(from).toBe(state);
          state = to;
        }
      }
      expect(lengthOf(paths)).toBeLessThanOrEqual(oneByOne(graph));
      edges += graph.edges.length;
      steps += lengthOf(paths);
      apart += oneByOne(graph);
    }),
    runs(150),
  );
  expect(edges).toBeGreaterThan(500);
  expect(steps).toBeLessThan(apart * 0.8);
});
