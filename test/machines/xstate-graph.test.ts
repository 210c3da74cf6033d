import { getAdjacencyMap, getShortestPaths } from '@xstate/graph';
import { inWorld, type Charter, type World } from 'agentcharter/testing';
import { describe, expect, test } from 'vitest';
import { createActor, type AnyMachineSnapshot, type AnyStateMachine, type EventObject } from 'xstate';
import {
  callMachine,
  effectMachine,
  executionMachine,
  lateWriteMachine,
  questionMachine,
  stateName,
  taskMachine,
} from '../../machines/index.ts';
import { stepper } from '../../src/testing/chart.ts';
import { transitionsOf } from '../../src/testing/coverage.ts';
import { keysOf, nodesOf } from '../../src/testing/key.ts';
import { graphIn } from './walks.ts';
import { worlds } from './worlds.ts';

/** A state of a life, and the events that leave it. */
interface Departure {
  readonly state: AnyMachineSnapshot;
  readonly transitions: Readonly<Record<string, { readonly event: EventObject }>>;
}

interface Step {
  /** The state after the event. */
  readonly state: AnyMachineSnapshot;
  readonly event: EventObject;
}

interface Path {
  readonly state: AnyMachineSnapshot;
  readonly steps: readonly Step[];
}

interface Run {
  readonly input: unknown;
  /** Returns the state and what determines its future. */
  readonly keyOf: (snapshot: never) => string;
  readonly steps: readonly Step[];
}

/** Sends each event of a path to a live actor, which must show the states of the path. */
const runLive = (machine: AnyStateMachine, { input, keyOf, steps }: Run): void => {
  const actor = createActor(machine, { input });
  const faults: unknown[] = [];
  actor.subscribe({ error: (fault) => faults.push(fault) });
  actor.start();
  for (const { event, state } of steps) {
    if (event.type !== 'xstate.init') actor.send(event);
    if (faults.length > 0) throw faults[0];
    const snapshot = actor.getSnapshot();
    if (keyOf(snapshot as never) !== keyOf(state as never))
      throw new Error(`${event.type} leads to ${stateName(snapshot.value)}, not ${stateName(state.value)}`);
  }
  actor.stop();
};

/** @xstate/graph offers every event to every state: those that the chart refuses are left out first. */
const optionsIn = (machine: AnyStateMachine, world: World) => {
  const { input, events, project } = inWorld(world);
  return {
    input,
    serializeState: keysOf(machine, project),
    events: ((snapshot: AnyMachineSnapshot) =>
      snapshot.status === 'active'
        ? events(snapshot as never).filter((fact) => snapshot.can(fact))
        : []) as never,
  };
};

/** The shortest paths of @xstate/graph in all worlds together, and what they go through. */
const walked = (machine: Charter) => {
  const states = new Set<string>();
  const names = transitionsOf(machine);
  /** Paths that are the beginning of no other: to run them is to run all of them. */
  const whole: Run[] = [];
  /** The shortest path through each transition, by the state in which its event comes. */
  const through = new Map<string, Run>();
  const transitions = new Set<string>();
  let paths = 0;
  for (const world of worlds) {
    const options = optionsIn(machine, world);
    const { input } = options;
    let taken: string[] = [];
    const { step, initial } = stepper(machine, input, (definitions, { _nodes: active }) => {
      for (const { id } of active) states.add(id); // gates decide at once, and never rest
      for (const one of definitions) taken.push(names.get(one) ?? '');
    });
    initial();
    const graph = graphIn(machine, world);
    const keyOf = options.serializeState;
    const numbers = new Map(graph.states.map((snapshot, at) => [keyOf(snapshot), at]));
    const shortest = getShortestPaths(machine, options as never) as unknown as readonly Path[];
    expect(new Set(shortest.map(({ state }) => keyOf(state)))).toEqual(new Set(numbers.keys()));
    paths += shortest.length;
    const passed = new Set(shortest.flatMap(({ steps }) => steps.slice(0, -1).map(({ state }) => state)));
    for (const { state, steps } of shortest) {
      if (!passed.has(state)) whole.push({ input, keyOf, steps });
      for (const { event } of graph.leaving(numbers.get(keyOf(state)) ?? -1)) {
        taken = [];
        const next = step(state as never, event);
        for (const name of taken) {
          transitions.add(name);
          const goal = `${stateName(state.value)} ${name}`;
          if ((through.get(goal)?.steps.length ?? Infinity) > steps.length + 1)
            through.set(goal, { input, keyOf, steps: [...steps, { event, state: next }] });
        }
      }
    }
  }
  return { states, transitions, paths, whole, through: [...through.values()] };
};

describe.each<[string, Charter]>([
  ['task', taskMachine],
  ['execution', executionMachine],
])('@xstate/graph on the chart %s', (name, machine) => {
  let found: ReturnType<typeof walked>;

  test('finds a path to every state, and through every transition', () => {
    found = walked(machine);
    const { states, transitions, paths } = found;
    const all = nodesOf(machine.root).flatMap(({ id, type }) => (type === 'history' ? [] : id));
    expect(all.filter((id) => !states.has(id))).toEqual([]);
    expect([...transitionsOf(machine).values()].filter((one) => !transitions.has(one))).toEqual([]);
    expect(paths).toBeGreaterThan(4_000);
  });

  test('finds paths that live actors take', () => {
    const { whole, through, paths, states, transitions } = found;
    for (const run of [...whole, ...through]) runLive(machine, run);
    console.log(
      `${name}: live actors took ${paths} shortest paths of @xstate/graph, and ${through.length} through ` +
        `${transitions.size} transitions from each state; ${states.size} states of the chart`,
    );
    expect(through.length).toBeGreaterThan(transitions.size);
  });

  test.each(['mayDeliver', 'mustStop', 'hasPlan', 'owesCalls', 'isDecided'])(
    'finds paths that an actor with a broken %s does not take',
    (guard) => {
      for (const verdict of [true, false]) {
        const broken = machine.provide({ guards: { [guard]: () => verdict } });
        expect(() => {
          for (const run of found.through) runLive(broken, run);
        }).toThrow(/ leads to .*, not |Infinite loop/);
      }
    },
  );
});

const flag = [false, true];
const flags = (...names: readonly string[]): readonly object[] =>
  names.reduce<readonly object[]>(
    (inputs, name) => inputs.flatMap((input) => flag.map((value) => ({ ...input, [name]: value }))),
    [{}],
  );
const calls = flags('isWrite', 'underWay', 'isDenied').flatMap((input) =>
  ['none', 'committed', 'undone'].map((prior) => ({ ...input, prior })),
);
const answers = flags('mayRevise', 'mayApprove', 'isLast', 'isAbsent', 'isDefaulted');

describe.each<[string, AnyStateMachine, readonly object[]]>([
  ['call', callMachine, calls],
  ['effect', effectMachine, [{}]],
  ['question', questionMachine, answers],
  ['lateWrite', lateWriteMachine, flags('isKnown', 'mayRecover')],
])('@xstate/graph on the life of a %s', (_, machine, inputs) => {
  test('finds a path to every state, and through every transition', () => {
    const names = transitionsOf(machine);
    const all = nodesOf(machine.root);
    const events = [...new Set(all.flatMap(({ ownEvents }) => ownEvents))].map((type) => ({ type }));
    const states = new Set<string>();
    const transitions = new Set<string>();
    for (const input of inputs) {
      const map = getAdjacencyMap(machine, { input, events } as never) as unknown as Record<
        string,
        Departure
      >;
      const { step } = stepper(machine, input as never, (taken) => {
        for (const one of taken) transitions.add(names.get(one) ?? '');
      });
      for (const { state, transitions: leaving } of Object.values(map)) {
        for (const { id } of state._nodes) states.add(id);
        for (const { event } of Object.values(leaving)) step(state, event);
      }
    }
    expect(all.filter(({ id }) => !states.has(id))).toEqual([]);
    expect([...names.values()].filter((name) => !transitions.has(name))).toEqual([]);
  });
});
