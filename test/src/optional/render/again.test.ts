import { render } from 'agentcharter/render';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor, createMachine, type AnyStateMachine } from 'xstate';
import { machine as executionFile } from '../../../../docs/charts/execution.xstate.ts';
import { machine as taskFile } from '../../../../docs/charts/task.xstate.ts';
import { executionMachine, taskMachine } from '../../../../machines/index.ts';
import { runs } from '../../../machines/generated.ts';
import { evaluated } from './evaluated.ts';
import { generated } from './generated.ts';
import { graphOf, waysIn } from './graph.ts';
import { machines } from './machines.ts';

const parsed = (text: string): AnyStateMachine =>
  createMachine(JSON.parse(text) as object) as AnyStateMachine;

const all: readonly (readonly [string, AnyStateMachine])[] = [
  ['taskMachine', taskMachine],
  ['executionMachine', executionMachine],
  ...Object.entries(machines),
];

describe.each(all)('%s', (_, machine) => {
  const graph = graphOf(machine);

  test('restores the same chart from its json', async () => {
    expect(graphOf(parsed(await render(machine, { format: 'json' })))).toEqual(graph);
  });

  test('restores the same chart from its file', async () => {
    expect(graphOf(evaluated(await render(machine, { format: 'xstate' })))).toEqual(graph);
  });

  test('restores the same text from its json and from its file', async () => {
    const json = await render(machine, { format: 'json' });
    expect(await render(parsed(json), { format: 'json' })).toBe(json);
    expect(await render(evaluated(await render(machine, { format: 'xstate' })), { format: 'json' })).toBe(
      json,
    );
  });
});

test('The comparison covers every machine and more than 250 transitions', () => {
  expect(all.length).toBeGreaterThan(15);
  expect(waysIn(taskMachine)).toBeGreaterThan(100);
  expect(all.reduce((sum, [, machine]) => sum + waysIn(machine), 0)).toBeGreaterThan(250);
});

test.each([
  ['task', taskFile as AnyStateMachine, taskMachine as AnyStateMachine],
  ['execution', executionFile as AnyStateMachine, executionMachine as AnyStateMachine],
])('docs/charts/%s.xstate.ts compiles to the chart, and starts', async (_, file, machine) => {
  expect(graphOf(file)).toEqual(graphOf(machine));
  for (const one of [file, evaluated(await render(machine, { format: 'xstate' }))])
    expect(createActor(one).start().getSnapshot().status).toBe('active');
});

test('A file names exactly the guards, actions, actors and delays of its chart', async () => {
  for (const [, machine] of all) {
    const again = evaluated(await render(machine, { format: 'xstate' }));
    const { guards, actions, actors, delays } = again.implementations;
    const asked = JSON.stringify(graphOf(machine));
    for (const name of [guards, actions, actors, delays].flatMap(Object.keys))
      expect(asked).toContain(JSON.stringify(name).slice(1, -1));
    for (const node of graphOf(machine) as readonly {
      readonly always: readonly { readonly guard: unknown }[];
    }[])
      for (const { guard } of node.always)
        if (typeof guard === 'string') expect(Object.keys(guards)).toContain(guard);
  }
});

test('A file omits values that are not plain data or belong to a run', async () => {
  const machine = createMachine({
    context: { secret: 's3cret' },
    output: { secret: 's3cret' },
    initial: 'a',
    states: { a: { invoke: { src: 'load', input: { secret: 's3cret' } }, meta: { loop: {} } } },
  });
  const { meta } = machine.root.states['a'] ?? {};
  Object.assign(meta as object, { loop: meta });
  for (const format of ['json', 'xstate'] as const)
    expect(await render(machine, { format })).not.toMatch(/s3cret|context|output|input|loop/);
});

test('Any machine is restored from its json and its file', async () => {
  await fc.assert(
    fc.asyncProperty(generated, async (config) => {
      const machine = createMachine(config as object) as AnyStateMachine;
      const graph = graphOf(machine);
      expect(graphOf(parsed(await render(machine, { format: 'json' })))).toEqual(graph);
      expect(graphOf(evaluated(await render(machine, { format: 'xstate' })))).toEqual(graph);
    }),
    runs(60),
  );
});
