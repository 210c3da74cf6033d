import { getAdjacencyMap } from '@xstate/graph';
import { describe, expect, test } from 'vitest';
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, EventObject } from 'xstate';
import { machine as callFile } from '../../../docs/charts/call.xstate.ts';
import { machine as effectFile } from '../../../docs/charts/effect.xstate.ts';
import { machine as executionFile } from '../../../docs/charts/execution.xstate.ts';
import { machine as lateWriteFile } from '../../../docs/charts/late-write.xstate.ts';
import { machine as questionFile } from '../../../docs/charts/question.xstate.ts';
import { machine as taskFile } from '../../../docs/charts/task.xstate.ts';
import { executionMachine, taskMachine } from '../../../machines/index.ts';
import type { Facts } from '../../../src/render/simulation.ts';
import { stepper } from '../../../src/testing/chart.ts';
import { sampleSimulation } from '../../../src/testing/charter/simulation.ts';

interface Sent extends EventObject {
  readonly facts?: Facts;
}

const nodesOf = (node: AnyStateNode): readonly AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

const leavesOf = ({ root }: AnyStateMachine): readonly string[] =>
  nodesOf(root)
    .filter(({ type }) => type === 'atomic' || type === 'final')
    .map(({ id }) => id);

const typesOf = ({ root }: AnyStateMachine): readonly string[] => [
  ...new Set(nodesOf(root).flatMap(({ transitions }) => [...transitions.keys()])),
];

/** The facts that tell apart where a run can go on from one state. */
const telling = ['owesCalls', 'mayWrite', 'owesPolicy', 'hasDraft', 'asks'];

const serialized = ({ value, context }: AnyMachineSnapshot): string =>
  JSON.stringify([value, telling.map((fact) => (context as Facts)[fact])]);

/** The leaves that @xstate/graph comes through, those that decide at once included. */
const reached = (machine: AnyStateMachine, events: readonly Sent[]): readonly string[] => {
  const seen = new Set<string>();
  const { initial, step } = stepper(machine, undefined, (_, { _nodes: active }) => {
    for (const { id } of active) seen.add(id);
  });
  initial();
  // facts that contradict each other can lead to an endless decision, as the file says
  const isTaken = (snapshot: AnyMachineSnapshot, event: Sent): boolean => {
    try {
      return snapshot.status === 'active' && step(snapshot, event) !== snapshot;
    } catch (error) {
      expect(String(error)).toContain('Infinite loop');
      return false;
    }
  };
  getAdjacencyMap(machine, {
    serializeState: serialized as never,
    events: ((snapshot: AnyMachineSnapshot) => events.filter((event) => isTaken(snapshot, event))) as never,
  });
  return leavesOf(machine).filter((leaf) => seen.has(leaf));
};

const clicks = (machine: AnyStateMachine): readonly Sent[] => typesOf(machine).map((type) => ({ type }));

describe.each([
  ['task', taskFile as AnyStateMachine, taskMachine as AnyStateMachine, 5],
  ['execution', executionFile as AnyStateMachine, executionMachine as AnyStateMachine, 3],
] as const)('docs/charts/%s.xstate.ts', (_, file, machine, leastFacts) => {
  test('reaches every leaf with outcomes that runs of the chart had', () => {
    const { outcomes } = sampleSimulation(machine);
    const events = typesOf(file).flatMap((type): readonly Sent[] => [
      { type },
      ...(outcomes[type] ?? []).map((facts) => ({ type, facts })),
    ]);
    expect(reached(file, events)).toEqual(leavesOf(file));
  });

  test('reaches nearly every leaf by clicks alone, without facts', () => {
    expect(leavesOf(file).length - reached(file, clicks(file)).length).toBeLessThanOrEqual(leastFacts);
  });
});

test('docs/charts/task.xstate.ts leads to an answer by clicks alone', () => {
  const { initial, step } = stepper(taskFile as AnyStateMachine, undefined);
  const events = [
    'request.accepted',
    'plan.proposed',
    'policy.decided',
    'call.started',
    'call.succeeded',
    'draft.proposed',
    'verifier.reported',
    'followup.offered',
    'human.responded',
  ];
  const states = events.reduce<readonly AnyMachineSnapshot[]>(
    (all, type) => [...all, step(all.at(-1) ?? initial(), { type })],
    [initial()],
  );
  expect(states.map(({ value }) => JSON.stringify(value).replaceAll(/["{}]/g, ''))).toEqual([
    'submitted:intake',
    'submitted:plan:proposing',
    'submitted:execute:authorizing',
    'submitted:execute:calling',
    'submitted:execute:calling',
    'submitted:execute:concluding',
    'submitted:verify:verifying',
    'completed:offering',
    'followup',
    'completed:settled',
  ]);
});

/** Every combination of the facts that a file has. */
const combinations = (names: readonly string[]): readonly Facts[] =>
  names.reduce<readonly Facts[]>(
    (all, name) => all.flatMap((facts) => [true, false].map((value) => ({ ...facts, [name]: value }))),
    [{}],
  );

test.each([
  ['call', callFile as AnyStateMachine],
  ['effect', effectFile as AnyStateMachine],
  ['late-write', lateWriteFile as AnyStateMachine],
  ['question', questionFile as AnyStateMachine],
])('docs/charts/%s.xstate.ts reaches every leaf', (_, file) => {
  const names = Object.keys((file.config.context ?? {}) as Facts);
  const events = typesOf(file).flatMap((type) => combinations(names).map((facts) => ({ type, facts })));
  expect(reached(file, events)).toEqual(leavesOf(file));
});
