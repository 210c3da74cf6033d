import { explore, simplePaths, type Path } from 'agentcharter/testing';
import { expect, test } from 'vitest';
import { assign, createMachine, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';

const told = (paths: Iterable<Path<AnyStateMachine>>) =>
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

test('every path that visits no state twice, by each of the steps between two states', () => {
  expect(told(simplePaths(graph)).toSorted()).toEqual(['', 'b', 'b c', 'b see', 'c', 'c b']);
});

test('as many as there are ways to visit some of the rooms in some order', () => {
  const orders = [1, 2, 5, 16, 65, 326, 1957];
  const counts = orders.map((_, rooms) => told(simplePaths(roomsOf(rooms + 1))));
  expect(counts.map(({ length }) => length)).toEqual(orders);
  expect(counts.map((paths) => new Set(paths).size)).toEqual(orders);
});

test('only to where it is wanted to end, on the way or at the last', () => {
  expect(told(simplePaths(graph, { to: isLast })).toSorted()).toEqual(['b c', 'b see', 'c']);
  expect(told(simplePaths(graph, { to: () => false }))).toEqual([]);
});

test('one at a time: ten of them are at hand where there are more than could ever be counted', () => {
  const ten: Path<AnyStateMachine>[] = [];
  for (const path of simplePaths(roomsOf(40))) if (ten.push(path) === 10) break;
  expect(new Set(told(ten)).size).toBe(10);
  expect(ten.map(({ steps }) => steps.length)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('a path that was handed out is not changed by those that follow', () => {
  const paths = simplePaths(graph);
  const first = [paths.next(), paths.next()].map(({ value }) => value?.events.length);
  expect([first, told(paths)]).toEqual([[0, 1], expect.arrayContaining(['b c'])]);
  const kept = [...simplePaths(graph)];
  expect(kept.map(({ steps }) => steps.length)).toEqual([0, 1, 2, 2, 1, 2]);
});

test('a chart that is five thousand states deep is walked to its end', () => {
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
