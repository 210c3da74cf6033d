import type { AnyStateMachine, AnyTransitionConfig } from 'xstate';
import { describe, expect, test } from 'vitest';
import {
  correspondences,
  fieldCorrespondences,
  OperationalState,
  ReasonCode,
} from '../../../schema/index.ts';
import { factTypes } from '../../../machines/facts/index.ts';
import { executionMachine, taskMachine } from '../../../machines/index.ts';
import { errorCodes, errorsPage } from './errors.ts';
import { ledgerPage, ledgerRows } from './ledger.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { itemsIn } from './markdown.ts';
import { chartPage, correspondencePage, factsPage, phasesPage, reasonCodesPage, types } from './pages.ts';
import { always, lost, walk } from '../../../src/optional/render/walk.ts';

const task = walk(taskMachine);
const execution = walk(executionMachine);

interface Config {
  readonly on?: Readonly<Record<string, unknown>>;
  readonly always?: unknown;
  readonly type?: string;
  readonly states?: Readonly<Record<string, Config>>;
}

const branches = (taken: unknown): number =>
  taken === undefined ? 0 : ([taken].flat() as AnyTransitionConfig[]).length;

/** Counted in the source of a chart, without XState's reading of it. */
const counted = ({ on = {}, always, type, states = {} }: Config): { states: number; transitions: number } => {
  const own = [always, ...Object.values(on)].reduce<number>((sum, taken) => sum + branches(taken), 0);
  return Object.values(states)
    .map(counted)
    .reduce(
      (sum, below) => ({
        states: sum.states + below.states,
        transitions: sum.transitions + below.transitions,
      }),
      { states: 1, transitions: own + (type === 'history' ? 1 : 0) },
    );
};

describe.each([
  ['taskMachine', taskMachine as AnyStateMachine, task],
  ['executionMachine', executionMachine as AnyStateMachine, execution],
] as const)('The walk over %s', (_, machine, { states, transitions }) => {
  test('visits every state and every written transition', () => {
    expect({ states: states.length, transitions: transitions.length }).toEqual(
      counted(machine.config as Config),
    );
    expect(transitions.length).toBeGreaterThan(50);
  });

  test('visits gate decisions, which the graph tools omit', () => {
    expect(transitions.filter(({ on }) => on === always).length).toBeGreaterThan(20);
  });

  test('names a state for every target, and a source for every transition', () => {
    const ids = states.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { targets } of transitions) for (const target of targets) expect(ids).toContain(target);
    for (const { cites } of transitions) expect(cites).toMatch(/^(UAICP|UpFormat|interpretation) /);
  });
});

test('A lost history has one transition', () => {
  expect(task.transitions.filter(({ on }) => on === lost).flatMap(({ targets }) => targets)).toEqual([
    'submitted.undoing.stop',
  ]);
});

/** How many facts the table of transitions has. */
const factsIn = (printed: string): number =>
  [...printed.matchAll(/^- (`.*?)(?: →|, does| \()/gm)].flatMap(([, facts = '']) => facts.split(',')).length;

describe('docs/reference', () => {
  test('task.md contains every state and every transition', async () => {
    const about =
      'Look up what a task does in each state and why: UpFormat’s operational states, with the phases of UAICP nested in `submitted`.';
    const printed = chartPage('taskMachine', about, task);
    expect(factsIn(printed)).toBe(task.transitions.length);
    for (const { id } of task.states) expect(printed).toContain(`\`${id}\``);
    await expectPrinted('docs/reference/task.md', printed);
  });

  test('execution.md contains the transitions that differ from those of task.md', async () => {
    const about = 'Look up how the phases of UAICP behave without people: an open question fails safe.';
    const printed = phasesPage('executionMachine', about, execution, task);
    expect(factsIn(printed)).toBeGreaterThan(0);
    expect(factsIn(printed)).toBeLessThan(execution.transitions.length);
    for (const from of new Set(execution.transitions.map((one) => one.from)))
      expect(printed).toContain(`\`${from}\``);
    await expectPrinted('docs/reference/execution.md', printed);
  });

  test('facts.md contains every fact, each accepted in some state', async () => {
    const printed = factsPage(task);
    expect(itemsIn(printed)).toBe(factTypes.length + Object.keys(types).length);
    expect(factTypes.length).toBeGreaterThan(0);
    const taken = new Set(task.transitions.map(({ on }) => on).filter((on) => on !== always && on !== lost));
    expect([...taken].toSorted()).toEqual([...factTypes].toSorted());
    expect(printed).not.toContain('unknown');
    await expectPrinted('docs/reference/facts.md', printed);
  });

  test('reason-codes.md contains every code', async () => {
    const printed = reasonCodesPage();
    expect(itemsIn(printed)).toBe(ReasonCode.options.length);
    expect(printed.match(/ \(UAICP[,)]/g)).toHaveLength(7);
    await expectPrinted('docs/reference/reason-codes.md', printed);
  });

  test('correspondence.md contains every state and every field', async () => {
    const printed = correspondencePage();
    const situations = Object.values(correspondences).flat();
    expect(itemsIn(printed)).toBe(situations.length + Object.keys(fieldCorrespondences).length);
    expect(situations.length).toBeGreaterThan(OperationalState.options.length);
    await expectPrinted('docs/reference/correspondence.md', printed);
  });

  test('ledger.md contains every member of a record and every finding', async () => {
    const printed = ledgerPage();
    expect(itemsIn(printed)).toBe(ledgerRows.length);
    expect(ledgerRows.length).toBeGreaterThan(30);
    await expectPrinted('docs/reference/ledger.md', printed);
  });

  test('errors.md contains every code', async () => {
    const printed = errorsPage();
    expect(itemsIn(printed)).toBe(errorCodes.length);
    expect(errorCodes.length).toBeGreaterThan(0);
    await expectPrinted('docs/reference/errors.md', printed);
  });
});

testEveryPageIsPrinted();
