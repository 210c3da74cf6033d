import { expect, test } from 'vitest';
import { setup } from 'xstate';
import { explore, outlineOf, simplePaths } from 'agentcharter/testing';

const order = setup({}).createMachine({
  id: 'order',
  initial: 'draft',
  states: {
    draft: {
      initial: 'empty',
      states: {
        empty: { on: { add: 'filled' } },
        filled: { on: { send: '#order.sent', drop: '#order.dropped' } },
      },
    },
    sent: { on: { back: 'draft', drop: 'dropped' } },
    dropped: {},
  },
});
const graph = explore(order, {
  events: [{ type: 'add' }, { type: 'send' }, { type: 'drop' }, { type: 'back' }],
});
const outerOf = ({ value }: { readonly value: unknown }): string =>
  typeof value === 'string' ? value : String(Object.keys(value as object)[0]);

test('makes a state for each label, and a step for each event between two labels', () => {
  const outline = outlineOf([graph], outerOf);
  expect(Object.keys(outline.states)).toEqual(['draft', 'sent', 'dropped']);
  expect(outline.events.toSorted()).toEqual(['back to draft', 'drop to dropped', 'send to sent']);
});

test('returns a chart that can be explored', () => {
  const outline = outlineOf([graph], outerOf);
  const seen = explore(outline, { events: outline.events.map((type) => ({ type })) });
  expect([...simplePaths(seen)].map(({ title }) => title)).toEqual([
    'draft after nothing',
    'sent after send to sent',
    'dropped after send to sent, drop to dropped',
    'dropped after drop to dropped',
  ]);
});

test('replaces a dot in a label', () => {
  const outline = outlineOf([graph], (snapshot) => `in.${outerOf(snapshot)}`);
  expect(Object.keys(outline.states)).toEqual(['in draft', 'in sent', 'in dropped']);
});

test('merges several graphs into one outline', () => {
  const [later, earlier] = [[{ type: 'add' } as const, { type: 'send' } as const], []].map((after) =>
    explore(order, { events: [{ type: 'drop' }], after }),
  );
  expect(Object.keys(outlineOf([earlier!, later!], outerOf).states)).toEqual(['draft', 'sent', 'dropped']);
});
