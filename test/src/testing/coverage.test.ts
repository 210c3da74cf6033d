import { coverageOf, explore } from 'agentcharter/testing';
import { expect, test } from 'vitest';
import { and, assign, createMachine, not, setup } from 'xstate';

const say = (...types: readonly string[]) => types.map((type) => ({ type }));

interface Tries {
  readonly tries: number;
}

/** One guard is never open, one state is never come to, and two guards are given that nothing asks. */
const chart = setup({
  types: { context: {} as Tries, input: {} as Tries },
  guards: {
    isPatient: ({ context }) => context.tries < 2,
    isDead: () => false,
    isHasty: not('isPatient'),
    isBoth: and(['isPatient', 'isHasty']),
  },
}).createMachine({
  id: 'm',
  context: ({ input }) => ({ tries: input.tries }),
  initial: 'trying',
  states: {
    trying: {
      on: {
        try: [
          { guard: 'isPatient', actions: assign({ tries: ({ context }) => context.tries + 1 }) },
          { guard: 'isDead', target: 'lost' },
          { target: 'done' },
        ],
      },
    },
    lost: { always: 'done', on: { try: 'trying' } },
    done: { initial: 'resting', states: { resting: {}, past: { type: 'history' } }, on: { again: 'trying' } },
  },
});

test('what was come to, taken and decided both ways is counted, and what was not is named', () => {
  expect(coverageOf(explore(chart, { input: { tries: 0 }, events: say('try') }))).toEqual({
    states: { seen: 4, unseen: ['m.lost'] },
    transitions: {
      seen: 2,
      unseen: ['m.trying try[1]', 'm.lost try[0]', 'm.lost always[0]', 'm.done again[0]'],
    },
    guards: {
      seen: 3,
      unseen: ['isDead: true'],
    },
  });
});

test('a chart that nothing is said to is only where it begins', () => {
  expect(coverageOf(explore(chart, { input: { tries: 0 }, events: [] }))).toMatchObject({
    states: { seen: 2 },
    transitions: { seen: 0 },
    guards: { seen: 0 },
  });
});

test('a refused event counts for the guard that refused it, and for no transition', () => {
  const shut = setup({ guards: { isDead: () => false } }).createMachine({
    id: 'm',
    on: { go: { guard: 'isDead', actions: [] } },
  });
  expect(coverageOf(explore(shut, { events: say('go') }))).toEqual({
    states: { seen: 1, unseen: [] },
    transitions: { seen: 0, unseen: ['m go[0]'] },
    guards: { seen: 1, unseen: ['isDead: true'] },
  });
});

test('graphs add up, whatever each of them began with', () => {
  const patient = explore(chart, { input: { tries: 0 }, events: say('try'), limit: 9 });
  const hasty = explore(chart, { input: { tries: 2 }, events: say('try', 'again') });
  expect(coverageOf(hasty).transitions).toEqual({
    seen: 2,
    unseen: ['m.trying try[0]', 'm.trying try[1]', 'm.lost try[0]', 'm.lost always[0]'],
  });
  expect(coverageOf(patient, hasty).transitions.unseen).toEqual([
    'm.trying try[1]',
    'm.lost try[0]',
    'm.lost always[0]',
  ]);
  expect(coverageOf(patient, hasty)).toEqual(coverageOf(hasty, patient));
});

test('what happens between two events counts: transitions without one, and guards that a guard asks', () => {
  const busy = setup({
    guards: { isOn: () => true, isOff: not('isOn'), isUp: and(['isOn', not('isOff')]) },
  }).createMachine({
    id: 'm',
    initial: 'a',
    states: { a: { on: { go: 'b' } }, b: { always: { guard: 'isUp', target: 'c' } }, c: {} },
  });
  expect(coverageOf(explore(busy, { events: say('go') }))).toEqual({
    states: { seen: 4, unseen: [] },
    transitions: { seen: 2, unseen: [] },
    guards: { seen: 3, unseen: ['isOn: false', 'isOff: true', 'isUp: false'] },
  });
});

test('a guard without a name has no verdict that could be counted', () => {
  const inline = createMachine({ id: 'm', on: { go: { guard: () => true, actions: [] } } });
  expect(coverageOf(explore(inline, { events: say('go') })).guards).toEqual({ seen: 0, unseen: [] });
});

test('a guard with parameters is asked with them', () => {
  const asking = setup({
    guards: { isAtLeast: (_, { least }: { readonly least: number }) => 2 >= least },
  }).createMachine({
    id: 'm',
    on: {
      few: { guard: { type: 'isAtLeast', params: { least: 1 } }, actions: assign({}) },
      many: { guard: { type: 'isAtLeast', params: { least: 3 } }, actions: assign({}) },
    },
  });
  expect(coverageOf(explore(asking, { events: say('few', 'many') }))).toEqual({
    states: { seen: 1, unseen: [] },
    transitions: { seen: 1, unseen: ['m many[0]'] },
    guards: { seen: 2, unseen: [] },
  });
});

test('the way to where an exploration begins is gone through as well', () => {
  const graph = explore(chart, { input: { tries: 2 }, after: say('try', 'again'), events: [] });
  expect(coverageOf(graph).transitions.seen).toBe(2);
});
