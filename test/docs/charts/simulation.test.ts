import { render } from 'agentcharter/render';
import { expect, test } from 'vitest';
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode, EventObject } from 'xstate';
import {
  callMachine,
  effectMachine,
  executionMachine,
  lateWriteMachine,
  questionMachine,
  taskMachine,
} from '../../../machines/index.ts';
import type { Facts } from '../../../src/optional/render/simulation.ts';
import { stepper } from '../../../src/testing/chart.ts';
import { once } from '../../machines/once.ts';
import { evaluated } from '../../src/optional/render/evaluated.ts';
import { sampledOf, simulationOf } from './simulations.ts';

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

const charts: readonly (readonly [string, AnyStateMachine])[] = [
  ['task', taskMachine],
  ['execution', executionMachine],
  ['call', callMachine],
  ['effect', effectMachine],
  ['late-write', lateWriteMachine],
  ['question', questionMachine],
];

/** The machine of a file as an editor has it: of its text and nothing else. */
const fileOf = once(async (machine: AnyStateMachine) => {
  const simulation = simulationOf(machine);
  return evaluated(await render(machine, { format: 'xstate', ...(simulation && { simulation }) }));
});

/** What tells apart where a run can go on from one state. */
const telling = ['owesCalls', 'mayWrite', 'owesPolicy', 'hasDraft', 'asks', 'mustUndoWrites', 'turns'];

const serialized = ({ value, context }: AnyMachineSnapshot): string =>
  JSON.stringify([value, telling.map((name) => (context as Readonly<Record<string, unknown>>)[name])]);

/** The leaves that these events come through, nearest first, until none is left; those that decide at once included. */
const reached = (
  machine: AnyStateMachine,
  events: readonly Sent[],
  take = (step: () => void): void => step(),
): readonly string[] => {
  const leaves = leavesOf(machine);
  const left = new Set(leaves);
  const { initial, step } = stepper(machine, undefined, (_, { _nodes: active }) => {
    for (const { id } of active) left.delete(id);
  });
  const first = initial();
  const states = new Map([[serialized(first), first]]);
  for (const snapshot of states.values())
    for (const event of left.size > 0 && snapshot.status === 'active' ? events : [])
      take(() => {
        const next = step(snapshot, event);
        const key = serialized(next);
        if (!states.has(key)) states.set(key, next);
      });
  return leaves.filter((leaf) => !left.has(leaf));
};

/** Facts that contradict each other can lead to an endless decision, as the file says. */
const unlessEndless = (step: () => void): void => {
  try {
    step();
  } catch (error) {
    expect(String(error)).toContain('Infinite loop');
  }
};

const clicks = (machine: AnyStateMachine): readonly Sent[] => typesOf(machine).map((type) => ({ type }));

test.each(charts)(
  'docs/charts/%s.xstate.ts reaches every leaf by clicks alone, none of which throws',
  async (_, machine) => {
    const file = await fileOf(machine);
    expect(reached(file, clicks(file))).toEqual(leavesOf(file));
  },
);

test.each(charts.slice(0, 2))(
  'docs/charts/%s.xstate.ts reaches every leaf with outcomes that runs of the chart had',
  async (_, machine) => {
    const file = await fileOf(machine);
    const { outcomes } = sampledOf(machine);
    const events = typesOf(file).flatMap((type): readonly Sent[] => [
      { type },
      ...(outcomes[type] ?? []).map((facts) => ({ type, facts })),
    ]);
    expect(reached(file, events, unlessEndless)).toEqual(leavesOf(file));
  },
);

test('docs/charts/task.xstate.ts leads to an answer by clicks alone', async () => {
  const { initial, step } = stepper(await fileOf(taskMachine), undefined);
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

test.each(charts.slice(2))('docs/charts/%s.xstate.ts reaches every leaf with facts', async (_, machine) => {
  const file = await fileOf(machine);
  const names = Object.keys((file.config.context ?? {}) as Facts);
  const events = typesOf(file).flatMap((type) => combinations(names).map((facts) => ({ type, facts })));
  expect(reached(file, events)).toEqual(leavesOf(file));
});

test('an event that leads elsewhere in some runs has each of its outcomes', () => {
  const { changes } = simulationOf(taskMachine) ?? {};
  const outcomesOf = (action: string, event: string): number => {
    const change = changes?.[action];
    return change?.by === 'event' ? (change.of[event]?.length ?? 0) : 0;
  };
  expect(outcomesOf('applyTurn', 'plan.proposed')).toBe(4);
  expect(outcomesOf('applyFact', 'verifier.reported')).toBe(2);
  expect(outcomesOf('revise', 'human.responded')).toBe(2);
});
