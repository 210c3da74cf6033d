import { explore, shortestPaths, type Path } from 'agentcharter/testing';
import { expect, test } from 'vitest';
import { assign, createMachine, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';

const say = (...types: readonly string[]) => types.map((type) => ({ type }));
const stairs = createMachine({
  context: { floor: 0 },
  on: {
    up: {
      guard: ({ context }) => context.floor < 5,
      actions: assign({ floor: ({ context }) => context.floor + 1 }),
    },
    lift: {
      guard: ({ context }) => context.floor < 4,
      actions: assign({ floor: ({ context }) => context.floor + 2 }),
    },
    drop: { actions: assign({ floor: 0 }) },
  },
});
const graph = explore(stairs, { events: say('up', 'lift', 'drop') });
const titlesOf = (paths: readonly Path<AnyStateMachine>[]) => paths.map(({ title }) => title);

test('returns one shortest path to each state, the nearest first', () => {
  const paths = shortestPaths(graph);
  expect(paths.map(({ end, steps }) => [graph.at(end).context.floor, steps.length])).toEqual([
    [0, 0],
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
  ]);
  for (const { steps } of paths)
    expect(steps.map(({ from }) => from)).toEqual([0, ...steps.map(({ to }) => to)].slice(0, steps.length));
});

test('returns only paths to the wanted states', () => {
  expect(titlesOf(shortestPaths(graph, { to: ({ context }) => context.floor === 3 }))).toEqual([
    ' after up, lift',
  ]);
  expect(shortestPaths(graph, { to: () => false })).toEqual([]);
});

test('lists every event from the initial state, and is titled by its events and its end', () => {
  const door = createMachine({
    initial: 'shut',
    states: {
      shut: { on: { open: { target: 'open', guard: ({ event }) => event['by'] === 'kim' } } },
      open: { initial: 'wide', states: { wide: {} }, on: { shut: 'shut' } },
    },
  });
  const events = [{ type: 'open', by: 'kim', how: { softly: true }, times: 2 }, ...say('shut')];
  const title = 'open.wide after shut, open(kim, {"softly":true}, 2)';
  const [first, second] = shortestPaths(explore(door, { events }));
  expect([first?.text, first?.events, second?.text]).toEqual([
    'shut after nothing',
    [],
    title.replace('shut, ', ''),
  ]);
  const [later] = shortestPaths(explore(door, { events, after: events.slice(0, 1) }), {
    to: ({ value }: AnyMachineSnapshot) => value === 'shut',
  });
  expect(later?.events).toEqual(events);
  expect(later?.text).toBe('shut after open(kim, {"softly":true}, 2), shut');
});
