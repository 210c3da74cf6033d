import { explore, simplePaths, type Path } from 'agentcharter/testing';
import { expect, test } from 'vitest';
import { assign, createMachine, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';

const titlesOf = (paths: Iterable<Path<AnyStateMachine>>) =>
  Array.from(paths, ({ events }) => events.map(({ type }) => type).join(' '));
const triangle = createMachine({
  initial: 'a',
  states: { a: { on: { b: 'b', c: 'c' } }, b: { on: { a: 'a', c: 'c', see: 'c' } }, c: { on: { b: 'b' } } },
});
const graph = explore(triangle, { events: ['a', 'b', 'c', 'see'].map((type) => ({ type })) });

const isLast = ({ value }: AnyMachineSnapshot): boolean => value === 'c';
const isDeep = ({ context }: AnyMachineSnapshot): boolean => context.depth === 5_000;

/** Every room leads to every other, by the name of where it leads. */
const roomsOf = (count: number) => {
  const rooms = Array.from({ length: count }, (_, room) => `r${room}`);
  const on = Object.fromEntries(rooms.map((room) => [room, `.${room}`]));
  const house = createMachine({
    initial: 'r0',
    on,
    states: Object.fromEntries(rooms.map((room) => [room, {}])),
  });
  return explore(house, { events: rooms.map((type) => ({ type })) });
};

test('returns every path without a repeated state, by each step between two states', () => {
  expect(titlesOf(simplePaths(graph)).toSorted()).toEqual(['', 'b', 'b c', 'b see', 'c', 'c b']);
});

test('returns as many paths as there are ordered selections of rooms', () => {
  const orders = [1, 2, 5, 16, 65, 326, 1957];
  const counts = orders.map((_, rooms) => titlesOf(simplePaths(roomsOf(rooms + 1))));
  expect(counts.map(({ length }) => length)).toEqual(orders);
  expect(counts.map((paths) => new Set(paths).size)).toEqual(orders);
});

test('returns only paths to the wanted states, on the way or at the end', () => {
  expect(titlesOf(simplePaths(graph, { to: isLast })).toSorted()).toEqual(['b c', 'b see', 'c']);
  expect(titlesOf(simplePaths(graph, { to: () => false }))).toEqual([]);
});

test('yields paths lazily: ten of an uncountable number', () => {
  const ten: Path<AnyStateMachine>[] = [];
  for (const path of simplePaths(roomsOf(40))) if (ten.push(path) === 10) break;
  expect(new Set(titlesOf(ten)).size).toBe(10);
  expect(ten.map(({ steps }) => steps.length)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('yields paths that later ones leave unchanged', () => {
  const paths = simplePaths(graph);
  const first = [paths.next(), paths.next()].map(({ value }) => value?.events.length);
  expect([first, titlesOf(paths)]).toEqual([[0, 1], expect.arrayContaining(['b c'])]);
  const kept = [...simplePaths(graph)];
  expect(kept.map(({ steps }) => steps.length)).toEqual([0, 1, 2, 2, 1, 2]);
});

test('follows a chart of five thousand states to its end', () => {
  const deep = createMachine({
    context: { depth: 0 },
    on: {
      on: {
        guard: ({ context }) => context.depth < 5_000,
        actions: assign({ depth: ({ context }) => context.depth + 1 }),
      },
    },
  });
  const paths = [
    ...simplePaths<AnyStateMachine>(explore(deep, { events: [{ type: 'on' }] }), { to: isDeep }),
  ];
  expect(paths.map(({ steps }) => steps.length)).toEqual([5_000]);
});
