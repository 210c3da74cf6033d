import { getAdjacencyMap, getShortestPaths, getSimplePaths } from '@xstate/graph';
import { explore, shortestPaths, simplePaths } from 'agentcharter/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { assign, createMachine, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import { runs } from '../../machines/generated.ts';

interface Count {
  readonly context: { readonly count: number };
}

const guards = {
  low: ({ context }: Count) => context.count < 2,
  high: ({ context }: Count) => context.count >= 2,
  none: undefined,
} as const;
const actions = {
  up: assign({ count: ({ context }: Count) => Math.min(3, context.count + 1) }),
  reset: assign({ count: 0 }),
  none: undefined,
} as const;

interface Branch {
  readonly on: string;
  readonly target: number;
  readonly guard: keyof typeof guards;
  readonly action: keyof typeof actions;
  readonly reenter: boolean;
}

interface Drawn {
  readonly kind: 'atomic' | 'nested' | 'parallel' | 'final';
  readonly branches: readonly (readonly Branch[])[];
  /** Without an event, once the count has come this far; it begins at nought again, so that this ends. */
  readonly always: { readonly target: number; readonly from: number } | null;
}

const eventTypes = ['x', 'y', 'z'] as const;
const events = eventTypes.map((type) => ({ type }));

const branch: fc.Arbitrary<Branch> = fc.record({
  on: fc.constantFrom(...eventTypes),
  target: fc.nat(40),
  guard: fc.constantFrom('low', 'high', 'none', 'none'),
  action: fc.constantFrom('up', 'reset', 'none'),
  reenter: fc.boolean(),
});
const drawn: fc.Arbitrary<readonly Drawn[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('atomic', 'atomic', 'nested', 'parallel', 'final'),
    branches: fc.array(fc.array(branch, { maxLength: 4 }), { minLength: 3, maxLength: 3 }),
    always: fc.option(fc.record({ target: fc.nat(40), from: fc.integer({ min: 1, max: 3 }) }), { freq: 4 }),
  }),
  { minLength: 2, maxLength: 4 },
);

/** Where a step may lead: every state, and the two inside those that have two. */
const placesOf = (states: readonly Drawn[]): readonly string[] =>
  states.flatMap(({ kind }, at) => {
    const inside = [`s${at}-one`, `s${at}-two`];
    return [
      `s${at}`,
      ...(kind === 'nested' ? inside : []),
      ...(kind === 'parallel' ? inside.map((id) => `${id}-on`) : []),
    ];
  });

const chartOf = (states: readonly Drawn[]): AnyStateMachine => {
  const places = placesOf(states);
  const place = (target: number): string => `#${places[target % places.length] ?? ''}`;
  const targetsOf = (branches: readonly Branch[] = []) => ({
    on: Object.fromEntries(
      eventTypes.map((type) => [
        type,
        branches
          .filter(({ on }) => on === type)
          .map(({ target, guard, action, reenter }) => ({
            target: place(target),
            reenter,
            ...(guard === 'none' ? {} : { guard: guards[guard] }),
            ...(action === 'none' ? {} : { actions: actions[action] }),
          })),
      ]),
    ),
  });
  const stateOf = ({ kind, branches: [own, one, two], always }: Drawn, at: number) => {
    const id = `s${at}`;
    const enough = ({ context }: Count): boolean => always !== null && context.count >= always.from;
    const itself = {
      id,
      ...targetsOf(own),
      ...(always === null
        ? {}
        : { always: { guard: enough, target: place(always.target), actions: actions.reset } }),
    };
    const region = (name: string, branches: readonly Branch[] | undefined) => ({
      id: `${id}-${name}`,
      initial: 'off',
      states: { off: targetsOf(branches), on: { id: `${id}-${name}-on`, ...targetsOf(branches) } },
    });
    switch (kind) {
      case 'atomic':
        return itself;
      case 'final':
        return at === 0 ? itself : { id, type: 'final' };
      case 'nested':
        return {
          ...itself,
          initial: 'one',
          states: {
            one: { id: `${id}-one`, ...targetsOf(one) },
            two: { id: `${id}-two`, ...targetsOf(two) },
          },
        };
      case 'parallel':
        return { ...itself, type: 'parallel', states: { one: region('one', one), two: region('two', two) } };
    }
  };
  return createMachine({
    context: { count: 0 },
    initial: 's0',
    states: Object.fromEntries(states.map((state, at) => [`s${at}`, stateOf(state, at)])),
  } as never) as AnyStateMachine;
};

const keyOf = ({ value, context }: AnyMachineSnapshot): string => JSON.stringify([value, context]);

interface Departure {
  readonly state: AnyMachineSnapshot;
  readonly transitions: Readonly<
    Record<string, { readonly event: { readonly type: string }; readonly state: AnyMachineSnapshot }>
  >;
}

interface Walked {
  readonly state: AnyMachineSnapshot;
  readonly weight: number;
  /** The first step is `xstate.init`. */
  readonly steps: readonly { readonly event: { readonly type: string } }[];
}

/** A settled chart is asked nothing, as nothing would come to a live one. */
const options = {
  serializeState: keyOf as never,
  events: ((snapshot: AnyMachineSnapshot) => (snapshot.status === 'active' ? events : [])) as never,
};

/** A chart as @xstate/graph sees it; what a state refuses leads to the same snapshot there. */
const toolsOn = (chart: AnyStateMachine) => {
  const map = Object.values(getAdjacencyMap(chart, options)) as readonly unknown[] as readonly Departure[];
  const shortest = getShortestPaths(chart, options) as readonly unknown[] as readonly Walked[];
  return {
    states: map.map(({ state }) => keyOf(state)),
    edges: map.flatMap(({ state: from, transitions }) =>
      Object.values(transitions)
        .filter(({ state }) => state !== from)
        .map(({ event, state }) => `${keyOf(from)} ${event.type} ${keyOf(state)}`),
    ),
    lengths: shortest.map(({ state, weight }) => `${keyOf(state)} ${weight}`),
  };
};

const spoken = (steps: readonly { readonly event: { readonly type: string } }[]): string =>
  steps.map(({ event }) => event.type).join(' ');

const sorted = (lines: readonly string[]): readonly string[] => lines.toSorted();

test('finds the same states, steps and shortest paths as @xstate/graph in random charts', () => {
  let states = 0;
  let edges = 0;
  fc.assert(
    fc.property(drawn, (drawing) => {
      const chart = chartOf(drawing);
      const graph = explore(chart, { events });
      const tools = toolsOn(chart);
      const keys = graph.states.map((snapshot: AnyMachineSnapshot) => keyOf(snapshot));
      expect(keys).toEqual(tools.states);
      expect(graph.edges.map(({ from, event, to }) => `${keys[from]} ${event.type} ${keys[to]}`)).toEqual(
        tools.edges,
      );
      const lengths = shortestPaths(graph).map(({ end, steps }) => `${keys[end]} ${steps.length}`);
      expect(sorted(lengths)).toEqual(sorted(tools.lengths));
      states += graph.states.length;
      edges += graph.edges.length;
    }),
    runs(150),
  );
  expect(states).toBeGreaterThan(300);
  expect(edges).toBeGreaterThan(500);
});

test('finds the same set of simple paths as @xstate/graph in random charts', () => {
  const most = 500;
  let compared = 0;
  fc.assert(
    fc.property(drawn, (drawing) => {
      const chart = chartOf(drawing);
      const graph = explore(chart, { events });
      const mine: string[] = [];
      for (const { steps } of simplePaths(graph)) if (mine.push(spoken(steps)) > most) return;
      const theirs = getSimplePaths(chart, options) as readonly unknown[] as readonly Walked[];
      expect(sorted(mine)).toEqual(sorted(theirs.map(({ steps }) => spoken(steps.slice(1)))));
      compared += mine.length;
    }),
    runs(150),
  );
  expect(compared).toBeGreaterThan(500);
});
