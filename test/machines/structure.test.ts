import { existsSync, readdirSync } from 'node:fs';
import { createActor } from 'xstate';
import { describe, expect, test } from 'vitest';
import { begin } from '../../machines/context.ts';
import { vocabulary } from '../../machines/vocabulary.ts';
import { executionMachine, taskMachine } from '../../machines/index.ts';
import { OperationalState, Phase } from '../../schema/index.ts';
import { requests } from '../../src/testing/charter/world.ts';
import { nameOf, nodesOf, transitionsOf } from './transitions.ts';

const machines = [
  ['task', taskMachine],
  ['execution', executionMachine],
] as const;

const input = { taskClass: { id: 'class' }, request: requests[0] };

/** A chart from plain data: every guard and action is a name in the vocabulary. */
const rebuilt = (config: unknown) =>
  vocabulary.createMachine({
    ...(JSON.parse(JSON.stringify(config)) as Parameters<typeof vocabulary.createMachine>[0]),
    context: ({ input }) => begin(input),
  });

const graphOf = (machine: Parameters<typeof transitionsOf>[0]) => ({
  states: nodesOf(machine.root).map(({ id, type, meta, tags, entry, exit }) => ({
    id,
    type,
    meta: meta as unknown,
    tags,
    entry,
    exit,
  })),
  transitions: transitionsOf(machine).map((transition) => ({
    name: nameOf(transition),
    targets: transition.targets,
    actions: transition.actions,
    cites: transition.cites,
  })),
});

describe.each(machines)('the %s chart', (_, machine) => {
  const nodes = nodesOf(machine.root);
  const transitions = transitionsOf(machine);

  test('starts in intake', () => {
    expect(JSON.stringify(createActor(machine, { input }).start().getSnapshot().value)).toContain('intake');
  });

  test('is named throughout: its JSON builds an equal graph', () => {
    expect(graphOf(rebuilt(machine.config))).toEqual(graphOf(machine));
    expect(transitions.length).toBeGreaterThan(60);
  });

  test('has one way into deliver, and mayDeliver stands in it [UAICP 4.1]', () => {
    const into = transitions.filter(({ targets }) => targets.includes('deliver'));
    expect(into.map(({ guard }) => guard)).toEqual(['mayDeliver']);
  });

  test('ends every decision of a gate with an unguarded branch that fails safe [UAICP 4.1]', () => {
    const last = transitions.filter(({ branch, branches }) => branches > 1 && branch === branches - 1);
    expect(last.filter(({ guard }) => guard === undefined).map(({ source }) => source.key)).toEqual(
      expect.arrayContaining(['assessing', 'dispatching', 'judging']),
    );
    // These wait instead: a state that owes something until a fact comes, or a precedence of states.
    const waits = ['task.submitted', 'plan', 'task.needsHumanDecision', 'followup'];
    const isWaiting = ({ id, meta }: (typeof last)[number]['source']): boolean =>
      waits.includes(id) || meta?.owes !== undefined;
    expect(last.filter(({ guard, source }) => guard !== undefined && !isWaiting(source))).toEqual([]);
  });

  test('holds no clock, no invocation, no completion event and no wildcard', () => {
    expect(nodes.flatMap(({ invoke }) => invoke)).toEqual([]);
    expect(nodes.flatMap(({ after }) => after)).toEqual([]);
    expect(
      transitions.map(({ on }) => on).filter((on) => on.includes('*') || on.startsWith('xstate.')),
    ).toEqual([]);
    expect(JSON.stringify(machine.config)).not.toMatch(/"(?:after|invoke|onDone|delay)"/);
  });

  test('only assigns, once in a transition: one scope can serve all tasks', () => {
    const actions = Object.values(machine.implementations.actions as Record<string, { type?: string }>);
    expect(actions.length).toBeGreaterThan(10);
    expect(new Set(actions.map(({ type }) => type))).toEqual(new Set(['xstate.assign']));
    expect(transitions.filter(({ actions }) => actions.length > 1).map(nameOf)).toEqual([]);
    expect(transitions.length).toBeLessThanOrEqual(134);
  });

  test('cites a source for every state and every transition', () => {
    const source = /^(?:UAICP|UpFormat|interpretation) /;
    expect(transitions.filter(({ cites }) => !source.test(cites ?? '')).map(nameOf)).toEqual([]);
    const named = nodes.filter((node) => node !== machine.root);
    expect(
      named
        .filter(({ meta }) => !source.test((meta as { cites?: string } | undefined)?.cites ?? ''))
        .map(({ id }) => id),
    ).toEqual([]);
  });

  test('has a decision record for every interpretation that it cites', () => {
    const cited = [...transitions.map(({ cites }) => cites), ...nodes.map(({ meta }) => meta?.cites)];
    const records = new Set(
      cited.flatMap((cites) => /^interpretation (\d{4})$/.exec(cites ?? '')?.[1] ?? []),
    );
    const folder = new URL('../../docs/decisions/', import.meta.url);
    const written = existsSync(folder) ? readdirSync(folder).map((name) => name.slice(0, 4)) : [];
    expect(records.size).toBeGreaterThan(5);
    expect([...records].filter((record) => !written.includes(record))).toEqual([]);
  });
});

test('the phases stand in the order of the specification [UAICP 3 states]', () => {
  const [intake, plan, execute, verify, ...ends] = Phase.options;
  const order = [intake, plan, execute, verify, 'undoing', ...ends];
  expect(Object.keys(executionMachine.root.states)).toEqual(order);
  expect(Object.keys(taskMachine.root.states['submitted']?.states ?? {})).toEqual([...order, 'resume']);
});

test('the outer states are exactly the seven of UpFormat Table 2', () => {
  expect(Object.keys(taskMachine.root.states).toSorted()).toEqual(OperationalState.options.toSorted());
});

test('a target that does not exist does not construct', () => {
  const wrong = JSON.stringify(executionMachine.config).replace('"#deliver"', '"#delivered"');
  expect(wrong).toContain('#delivered');
  expect(() => rebuilt(JSON.parse(wrong))).toThrow(/delivered/);
});
