import type { StateValue } from 'xstate';

/** A snapshot's state as one word: `submitted.execute.calling`; the regions of a parallel state stand side by side. */
export const stateName = (value: StateValue): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value)
        .map(([key, inner]) => [key, ...(inner === undefined ? [] : [stateName(inner)])])
        .map((names) => names.filter((name) => name !== '').join('.'))
        .join('+');
