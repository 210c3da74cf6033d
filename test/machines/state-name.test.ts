import type { StateValue } from 'xstate';
import { expect, test } from 'vitest';
import { stateName } from '../../machines/index.ts';

test.each<[StateValue, string]>([
  ['failed', 'failed'],
  [{ submitted: { execute: 'calling' } }, 'submitted.execute.calling'],
  [{ completed: undefined }, 'completed'],
  [{ one: 'a', other: { b: 'c' } }, 'one.a+other.b.c'],
])('%j is called %s', (value, name) => {
  expect(stateName(value)).toBe(name);
});
