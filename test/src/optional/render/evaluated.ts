import { expect } from 'vitest';
import { setup, type AnyStateMachine } from 'xstate';

/** Returns the machine of a file as Stately Sketch evaluates it: without its import, in one function. */
export const evaluated = (text: string): AnyStateMachine => {
  const [first, ...rest] = text.split('\n');
  expect(first).toBe("import { setup } from 'xstate';");
  const body = rest.join('\n').replace('export const machine =', 'return');
  // oxlint-disable-next-line typescript/no-implied-eval -- it is what the file is for
  return new Function('setup', body)(setup) as AnyStateMachine;
};
