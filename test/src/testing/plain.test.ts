import { explore } from 'agentcharter/testing';
import { describe, expect, test } from 'vitest';
import { assign, createMachine } from 'xstate';
import { isCharterError } from '../../../src/base/errors.ts';

/** A chart that holds one thing, and another once it is told to. */
const holding = (first: unknown, then: unknown) =>
  createMachine({
    id: 'm',
    context: { held: first },
    on: { turn: { guard: ({ context }) => context.held === first, actions: assign({ held: () => then }) } },
  });

const turn = [{ type: 'turn' }];

/** How many states there are, or what is said of the one that cannot be told from another. */
const found = (first: unknown, then: unknown): unknown => {
  try {
    return explore(holding(first, then), { events: turn }).states.length;
  } catch (error) {
    return isCharterError(error) ? [error.code, error.details] : error;
  }
};

class Money {
  readonly cents = 1;
}

const unreadable = (path: string, reason: string) => ['chart_unreadable', { machine: 'm', path, reason }];
const foreign = 'an object that is not a plain record or list';

describe('A context that is not plain', () => {
  test.each([
    ['a function', () => 1, '/held', 'a function'],
    ['a symbol', Symbol('s'), '/held', 'a symbol'],
    ['NaN', Number.NaN, '/held', 'the number NaN'],
    ['an infinite number', -Infinity, '/held', 'the number -Infinity'],
    ['a map', new Map([['a', 1]]), '/held', foreign],
    ['a set', new Set([1]), '/held', foreign],
    ['an instance', new Money(), '/held', foreign],
    ['a deep function', { 'a/b': [0, { '~': () => 1 }] }, '/held/a~1b/1/~0', 'a function'],
    ['a value in a list', [[], [Number.NaN]], '/held/1/0', 'the number NaN'],
  ])('is reported with its path: %s', (_, value, path, reason) => {
    expect(found(value, value)).toEqual(unreadable(path, reason));
    expect(found(null, { inside: value })).toEqual(unreadable(path.replace('/held', '/held/inside'), reason));
  });

  test('is reported with its path: a bigint', () => {
    expect(found(1n, 1n)).toEqual(unreadable('/held', 'a bigint'));
  });

  test('is reported as unreadable: a cycle', () => {
    const circle: { inside?: unknown } = {};
    circle.inside = circle;
    expect(found(circle, circle)).toMatchObject(['chart_unreadable', { machine: 'm' }]);
  });
});

describe('A plain state before an unplain one', () => {
  test.each([
    ['a number behind null', null, Number.NaN],
    ['a map behind a record', {}, new Map([['a', 1]])],
    ['a function behind undefined', undefined, () => 1],
    ['an invalid date behind null', null, new Date(Number.NaN)],
  ])('hides no unreadable value: %s', (_, first, then) => {
    expect(found(first, then)).toMatchObject(['chart_unreadable', { path: '/held' }]);
  });

  test.each([
    ['undefined in a list behind null', [null], [undefined]],
    ['a hole in a list behind null', [null], Array(1)],
  ])('hides no different value: %s', (_, first, then) => {
    expect(found(first, then)).not.toBe(1);
  });
});

test.each([
  ['null and undefined', null, undefined],
  ['two dates', new Date(0), new Date(1)],
  ['a list and a longer one', [1], [1, 1]],
  ['a number and its text', 1, '1'],
  ['true and its text', true, 'true'],
  ['a record and a list', {}, []],
  ['a record without a prototype and another', Object.create(null), { a: 1 }],
])('makes two states of %s', (_, first, then) => {
  expect(found(first, then)).toBe(2);
});

const project = ({ held }: { readonly held: unknown }) => [...(held as Map<string, number>)];

test('requires plain data only of the projection', () => {
  const chart = holding(new Map([['a', 1]]), new Map([['a', 2]]));
  expect(explore(chart, { events: turn, project }).states).toHaveLength(2);
  expect(() => explore(holding(1, 2), { events: turn, project: () => new Map() })).toThrow('project it');
});
