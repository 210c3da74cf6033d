import type { StateValue } from 'xstate';

/**
 * Returns a state value as one word, such as `submitted.execute.calling`. Regions of a parallel state are joined with
 * `+`.
 */
export const stateName = (value: StateValue): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value)
        .map(([key, inner]) => [key, ...(inner === undefined ? [] : [stateName(inner)])])
        .map((names) => names.filter((name) => name !== '').join('.'))
        .join('+');
