import type { StateValue } from 'xstate';

/** A snapshot's state as one word: `submitted.execute.calling`. */
export const stateName = (value: StateValue): string =>
  typeof value === 'string'
    ? value
    : Object.entries(value)
        .map(([key, inner]) => (inner === undefined ? key : `${key}.${stateName(inner)}`))
        .join('+');
