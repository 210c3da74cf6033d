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

test('counts covered states, transitions and guard outcomes, and names the others', () => {
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

test('counts only the initial states of a chart without events', () => {
  expect(coverageOf(explore(chart, { input: { tries: 0 }, events: [] }))).toMatchObject({
    states: { seen: 2 },
    transitions: { seen: 0 },
    guards: { seen: 0 },
  });
});

test('counts a refused event for the guard that refused it, and for no transition', () => {
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

test('sums up graphs with different inputs', () => {
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

test('counts eventless transitions and nested guards', () => {
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

test('counts no outcome for an unnamed guard', () => {
  const inline = createMachine({ id: 'm', on: { go: { guard: () => true, actions: [] } } });
  expect(coverageOf(explore(inline, { events: say('go') })).guards).toEqual({ seen: 0, unseen: [] });
});

test('evaluates a guard with its parameters', () => {
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

test('counts the transitions on the way to the start of an exploration', () => {
  const graph = explore(chart, { input: { tries: 2 }, after: say('try', 'again'), events: [] });
  expect(coverageOf(graph).transitions.seen).toBe(2);
});
