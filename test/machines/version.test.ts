import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { and, type AnyStateMachine } from 'xstate';
import { z } from 'zod';
import { chartVersion, executionMachine, taskMachine } from '../../machines/index.ts';
import * as exported from '../../machines/index.ts';
import { behaviourOf, differences, objectionTo, readCorpus, type Behaviour } from './released/behaviour.ts';
import { charts } from './released/charts.ts';

const Printed = z.object({ version: z.string(), digests: z.record(z.string(), z.string()) });
const file = (name: string): URL => new URL(`../fixtures/chart/${name}.json`, import.meta.url);

/** What the version did that was released last. */
const released: Behaviour = Printed.parse(JSON.parse(readFileSync(file('released'), 'utf8')));
const corpus = readCorpus();
const current = behaviourOf(charts, corpus);

it('does what the version did that was released last, or is the next version', () => {
  const objection = objectionTo(current, released);
  expect(objection === null, objection ?? '').toBe(true);
});

const print = 'npx vitest run --config test/vitest.config.ts test/machines/version.test.ts -u';

it('does what is printed for it: a change of the chart shows in the review', async () => {
  await expect(
    `${JSON.stringify(current, null, 2)}\n`,
    `the chart changed: if that is meant, print current.json anew: ${print}\ndocs/releases.md says when the version rises`,
  ).toMatchFileSnapshot(file('current').pathname);
});

it('is what both charts say of themselves', () => {
  expect([taskMachine.version, executionMachine.version]).toEqual([chartVersion, chartVersion]);
});

const isMachine = (value: unknown): value is AnyStateMachine =>
  typeof value === 'object' && value !== null && 'getInitialSnapshot' in value && 'config' in value;

it('compares every chart that is exported', () => {
  expect(new Set(charts.machines)).toEqual(new Set(Object.values(exported).filter(isMachine)));
});

it('is told facts to every end: some are refused, and each set leads to another state', () => {
  expect(corpus.length).toBeGreaterThan(40);
  expect(corpus.reduce((sum, { entries }) => sum + entries.length, 0)).toBeGreaterThan(30_000);
  const types = new Set(
    corpus.flatMap(({ facts, entries }) => entries.map(([, at]) => String(facts[at]?.type))),
  );
  const message =
    'record the corpus anew: TSX_TSCONFIG_PATH=test/tsconfig.json npx tsx test/machines/released/record.ts';
  expect(types, message).toEqual(new Set(exported.factTypes));
});

/** A part of the corpus, which shows a planted change in a second. */
const few = corpus.filter(
  ({ name }) => name === 'a read, with every way of the model to fall short' || name.includes('chart 1'),
);
const fewNow = behaviourOf(charts, few);
const planted = (machine: AnyStateMachine): readonly string[] =>
  differences(behaviourOf({ ...charts, machines: [machine, executionMachine] }, few), fewNow);

it.each<[string, () => AnyStateMachine, RegExp]>([
  ['a guard that lets more in', () => taskMachine.provide({ guards: { appliesTo: () => true } }), /a read/],
  ['a guard that lets less in', () => taskMachine.provide({ guards: { awaits: () => false } }), /chart 1/],
  ['an action that does nothing', () => taskMachine.provide({ actions: { applyFact: () => {} } }), /a read/],
])('notices %s', (_, machineOf, where) => {
  expect(planted(machineOf()).join('\n')).toMatch(where);
});

/** A machine of the same kind, whose definition was changed as text. */
const redefined = (change: (text: string) => string): AnyStateMachine =>
  Object.create(taskMachine, {
    config: { value: JSON.parse(change(JSON.stringify(taskMachine.config))) as object },
  }) as AnyStateMachine;

it.each<[string, (text: string) => string]>([
  ['another target', (text) => text.replace('"target":"completed"', '"target":"failed"')],
  ['another guard', (text) => text.replace('"guard":"asks"', '"guard":"awaits"')],
  ['another duty', (text) => text.replace('"accept","wake"', '"accept"')],
])('notices %s in a definition', (_, change) => {
  expect(planted(redefined(change))).toContain('the definition of task');
});

it('notices another schema', () => {
  const schemas = [z.object({ type: z.literal('fact.of_tomorrow') })];
  expect(differences(behaviourOf({ ...charts, schemas }, []), behaviourOf(charts, []))).toEqual([
    'the schemas of facts and contracts',
  ]);
});

it('refuses a guard that has no name', () => {
  const config = { ...taskMachine.config, on: { 'task.cancelled': { guard: and([]) } } };
  const machine = Object.create(taskMachine, { config: { value: config } }) as AnyStateMachine;
  expect(() => planted(machine)).toThrow('a guard or an action without a name cannot be compared');
});

it.each([
  ['another citation', redefined((text) => text.replaceAll(/"cites":"[^"]*"/g, '"cites":"elsewhere"'))],
  ['another version', redefined((text) => text.replace(`"version":"${chartVersion}"`, '"version":"9"'))],
])('does not call %s another behaviour', (_, machine) => {
  const { digests } = behaviourOf({ ...charts, machines: [machine, executionMachine] }, []);
  expect(digests['the definition of task']).toBe(fewNow.digests['the definition of task']);
});

it('objects to a change without a version, to a version without a change, and to a leap', () => {
  const one = { version: '1', digests: { a: 'x', b: 'y' } };
  const other = { a: 'x', b: 'z' };
  expect(objectionTo(one, one)).toBeNull();
  expect(objectionTo({ version: '2', digests: other }, one)).toBeNull();
  expect(objectionTo({ version: '1', digests: other }, one)).toMatch(
    /^The chart does not do what version 1 does.*\n- b\n.*raise chartVersion in machines\/version\.ts/,
  );
  expect(objectionTo({ version: '1', digests: { ...one.digests, c: 'new' } }, one)).toContain('- c');
  expect(objectionTo({ version: '2', digests: one.digests }, one)).toContain('lower chartVersion');
  expect(objectionTo({ version: '3', digests: other }, one)).toContain('versions rise by one');
});
