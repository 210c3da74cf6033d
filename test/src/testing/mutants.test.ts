import { explore, mutantsOf } from 'agentcharter/testing';
import { expect, test } from 'vitest';
import { createMachine, setup, type AnyStateMachine, type AnyMachineSnapshot } from 'xstate';
import { executionMachine, stateName } from '../../../machines/index.ts';

const say = (...types: readonly string[]) => types.map((type) => ({ type }));

const chart = setup({ guards: { isOpen: () => true, isFree: () => false } }).createMachine({
  id: 'm',
  initial: 'out',
  on: { leave: '.out', nod: { description: 'polite' } },
  states: {
    out: { on: { enter: [{ guard: 'isOpen', target: 'in' }, { target: 'waiting' }] } },
    waiting: { always: [{ guard: 'isFree', target: 'in' }, 'out'] },
    in: {
      initial: 'hall',
      states: { hall: { on: { climb: { guard: 'isOpen', target: 'attic' } } }, attic: {} },
    },
  },
});

const namesOf = (machine: AnyStateMachine) => mutantsOf(machine).map(({ name }) => name);

test('forces each guard both ways, swaps each pair of neighbours, and drops each unguarded last branch', () => {
  expect(namesOf(chart)).toEqual([
    'isOpen is always true',
    'isOpen is always false',
    'isFree is always true',
    'isFree is always false',
    'm leave[0] and m nod[0] go where the other went',
    'm.out enter[0] and m.out enter[1] go where the other went',
    'm.waiting always[0] and m.waiting always[1] go where the other went',
    'm leave has no last branch',
    'm nod has no last branch',
    'm.out enter has no last branch',
    'm.waiting always has no last branch',
  ]);
});

const leaves = (value: unknown, path = ''): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, `${path}/${key}`))
    : [`${path} ${String(value)}`];

/** A configuration in which each transition is written in full. */
const full = (config: unknown): unknown =>
  JSON.parse(JSON.stringify(config), (_, value: unknown) =>
    Array.isArray(value)
      ? value.map((branch: unknown) => (typeof branch === 'string' ? { target: branch } : branch))
      : value,
  ) as unknown;

const written = (machine: AnyStateMachine): readonly string[] =>
  leaves(full(machine.config)).map((leaf) => leaf.replace(/\/0(?=[/ ])/, '').replace('/target ', ' '));

test('changes the chart in one place: two targets, or one branch', () => {
  const before = new Set(written(chart));
  const differing = mutantsOf(chart).map(({ machine }) => {
    const after = written(machine);
    const gone = [...before].filter((leaf) => !after.includes(leaf));
    return gone.length + after.filter((leaf) => !before.has(leaf)).length;
  });
  expect(differing).toEqual([0, 0, 0, 0, 2, 4, 4, 1, 1, 1, 1]);
});

test('forces one guard and keeps the others', () => {
  const verdicts = mutantsOf(chart)
    .slice(0, 4)
    .map(({ machine: { implementations } }) =>
      Object.values(implementations.guards as Readonly<Record<string, () => boolean>>).map((guard) =>
        guard(),
      ),
    );
  expect(verdicts).toEqual([
    [true, false],
    [false, false],
    [true, true],
    [true, false],
  ]);
});

/** Where a mutant can come to. */
const shown = (name: string): string => {
  const mutant = mutantsOf(chart).find((found) => found.name === name);
  const { states } = explore<AnyStateMachine>(mutant?.machine ?? chart, {
    events: say('enter', 'climb', 'leave'),
  });
  return states.map(({ value }: AnyMachineSnapshot) => stateName(value)).join(' ');
};

test('changes what the name of each mutant says', () => {
  expect(shown('nothing')).toBe('out in.hall in.attic');
  expect(shown('isOpen is always false')).toBe('out');
  expect(shown('m.out enter[0] and m.out enter[1] go where the other went')).toBe('out');
  expect(shown('m.waiting always has no last branch')).toBe('out in.hall in.attic');
  expect(shown('m leave[0] and m nod[0] go where the other went')).toBe('out in.hall in.attic');
});

test('leaves the original chart unchanged', () => {
  const before = [JSON.stringify(chart.config), Object.values(chart.implementations.guards)];
  expect(mutantsOf(chart)).toHaveLength(11);
  expect([JSON.stringify(chart.config), Object.values(chart.implementations.guards)]).toEqual(before);
});

test('makes no mutant of branches with the same target', () => {
  const same = createMachine({
    id: 'm',
    initial: 'a',
    states: { a: { on: { x: 'b', y: { target: 'b' }, z: 'a' } }, b: {} },
  });
  expect(namesOf(same).filter((name) => name.includes('and'))).toEqual([
    'm.a y[0] and m.a z[0] go where the other went',
  ]);
});

test('names every mutant of the execution chart differently', () => {
  const names = mutantsOf(executionMachine).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(100);
});

test('leaves a forbidden event unchanged', () => {
  const forbidding = createMachine({
    id: 'm',
    initial: 'a',
    on: { x: '.a' },
    states: { a: { on: { x: undefined } } },
  } as const);
  expect(namesOf(forbidding)).toContain('m x has no last branch');
});

test('finds neighbours within one state only when the chart id has a space', () => {
  const named = createMachine({
    id: 'my chart',
    initial: 'a',
    states: { a: { on: { x: 'b' } }, b: { on: { y: 'a' } } },
  });
  expect(namesOf(named)).toEqual(['my chart.a x has no last branch', 'my chart.b y has no last branch']);
});
