import { inEveryState, inEveryStep, sharpnessOf, type Property } from 'agentcharter/testing';
import { describe, expect, test } from 'vitest';
import { assign, setup, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import { stateName } from '../../../machines/index.ts';

const say = (...types: readonly string[]) => types.map((type) => ({ type }));
const at = ({ value }: AnyMachineSnapshot): string => stateName(value);

/** Pays only what was checked, and tries no more than twice. */
const till = setup({
  types: { context: {} as { checked: boolean; tries: number } },
  guards: { isChecked: ({ context }) => context.checked, mayTry: ({ context }) => context.tries < 2 },
}).createMachine({
  id: 'till',
  context: { checked: false, tries: 0 },
  initial: 'open',
  states: {
    open: {
      on: {
        check: {
          guard: 'mayTry',
          actions: assign({ checked: true, tries: ({ context }) => context.tries + 1 }),
        },
        pay: { guard: 'isChecked', target: 'paid' },
      },
    },
    paid: { type: 'final' },
  },
});

type Asked = Property<AnyStateMachine>;
const exploration = { events: say('check', 'pay') };
const onlyChecked: Asked = inEveryState(
  'only what was checked is paid',
  (snapshot) => at(snapshot) !== 'paid' || (snapshot as AnyMachineSnapshot).context.checked === true,
);
const isPaid: Asked = inEveryStep(
  'what was checked is paid when it is asked for',
  ({ event, to }) => event.type !== 'pay' || at(to) === 'paid',
);
const judged = (...properties: readonly Asked[]) =>
  sharpnessOf<AnyStateMachine>(till, [{ exploration, properties }]);

describe('The verdict on a mutant', () => {
  test('names a property, an endless chart or a path as the first that caught it', () => {
    expect(judged(onlyChecked, isPaid)).toEqual([
      { mutant: 'isChecked is always true', caughtBy: 'property', reason: 'only what was checked is paid' },
      { mutant: 'isChecked is always false', caughtBy: 'path', reason: 'check' },
      { mutant: 'mayTry is always true', caughtBy: 'error', reason: expect.stringContaining('more than') },
      { mutant: 'mayTry is always false', caughtBy: 'path', reason: '' },
      {
        mutant: 'till.open check[0] and till.open pay[0] go where the other went',
        caughtBy: 'path',
        reason: '',
      },
    ]);
  });

  test('names paths when there are no properties, and misses mutants that only accept more', () => {
    expect(judged().map(({ caughtBy }) => caughtBy)).toEqual([null, 'path', 'error', 'path', 'path']);
  });

  test('gives the first broken property as the reason', () => {
    const never: Asked = inEveryState(
      'nothing is ever paid unchecked',
      (snapshot) => at(snapshot) !== 'paid',
    );
    const [first] = judged(never, onlyChecked);
    expect(first?.reason).toBe('nothing is ever paid unchecked');
  });

  test('uses a later trial when the first one misses the mutant', () => {
    const blind = { exploration: { events: say('pay') }, properties: [] };
    const [unchecked] = sharpnessOf<AnyStateMachine>(till, [
      blind,
      { exploration, properties: [onlyChecked] },
    ]);
    expect(unchecked).toMatchObject({ caughtBy: 'property' });
  });
});

test('marks a mutant outside of every trial as a survivor', () => {
  const verdicts = sharpnessOf<AnyStateMachine>(till, [
    { exploration: { events: [] }, properties: [onlyChecked] },
  ]);
  expect(verdicts.map(({ caughtBy }) => caughtBy)).toEqual([null, null, null, null, null]);
});

test('catches a mutant with another initial state by its paths', () => {
  const begun = setup({ guards: { isEarly: () => true } }).createMachine({
    id: 'm',
    initial: 'waking',
    states: {
      waking: { always: [{ guard: 'isEarly', target: 'tea' }, 'coffee'] },
      tea: { on: { go: 'out' } },
      coffee: { on: { go: 'out' } },
      out: {},
    },
  });
  const verdicts = sharpnessOf<AnyStateMachine>(begun, [
    { exploration: { events: say('go') }, properties: [] },
  ]);
  expect(verdicts[1]).toEqual({ mutant: 'isEarly is always false', caughtBy: 'path', reason: '' });
});
