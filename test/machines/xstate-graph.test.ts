import { getAdjacencyMap, getShortestPaths } from '@xstate/graph';
import { inWorld, type Charter, type World } from 'agentcharter/testing';
import { describe, expect, test } from 'vitest';
import type { AnyMachineSnapshot, AnyStateMachine, EventObject } from 'xstate';
import {
  callMachine,
  effectMachine,
  executionMachine,
  lateWriteMachine,
  questionMachine,
  taskMachine,
} from '../../machines/index.ts';
import { stepper } from '../../src/testing/chart.ts';
import { transitionsOf } from '../../src/testing/coverage.ts';
import { keysOf, nodesOf } from '../../src/testing/key.ts';
import { worlds } from './worlds.ts';

interface Departure {
  readonly state: AnyMachineSnapshot;
  readonly transitions: Readonly<Record<string, { readonly event: EventObject }>>;
}

interface Path {
  readonly state: AnyMachineSnapshot;
  readonly steps: readonly unknown[];
}

/** @xstate/graph offers every event to every state: those that the chart refuses are left out first. */
const optionsIn = (machine: AnyStateMachine, world: World) => {
  const { input, events, project } = inWorld(world);
  return {
    input,
    serializeState: keysOf(machine, project) as never,
    events: ((snapshot: AnyMachineSnapshot) =>
      snapshot.status === 'active'
        ? events(snapshot as never).filter((fact) => snapshot.can(fact))
        : []) as never,
  };
};

/** What the paths of @xstate/graph go through, in all worlds together. */
const walked = (machine: AnyStateMachine) => {
  const states = new Set<string>();
  const transitions = new Set<string>();
  const names = transitionsOf(machine);
  let paths = 0;
  for (const world of worlds) {
    const options = optionsIn(machine, world);
    const { step, initial } = stepper(machine, inWorld(world).input, (taken, { _nodes: active }) => {
      for (const { id } of active) states.add(id); // gates decide at once, and never rest
      for (const one of taken) transitions.add(names.get(one) ?? '');
    });
    initial();
    const map = getAdjacencyMap(machine, options as never) as unknown as Readonly<Record<string, Departure>>;
    const shortest = getShortestPaths(machine, options as never) as unknown as readonly Path[];
    expect(shortest.length).toBe(Object.keys(map).length);
    paths += shortest.length;
    for (const { state, transitions: leaving } of Object.values(map))
      for (const { event } of Object.values(leaving)) step(state, event);
  }
  return { states, transitions, paths };
};

describe.each<[string, Charter]>([
  ['task', taskMachine],
  ['execution', executionMachine],
])('@xstate/graph on the chart %s', (_, machine) => {
  test('finds a path to every state, and through every transition', () => {
    const { states, transitions, paths } = walked(machine);
    const all = nodesOf(machine.root).flatMap(({ id, type }) => (type === 'history' ? [] : id));
    expect(all.filter((id) => !states.has(id))).toEqual([]);
    expect([...transitionsOf(machine).values()].filter((name) => !transitions.has(name))).toEqual([]);
    expect(paths).toBeGreaterThan(4_000);
  });
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
