import type { StateValue } from 'xstate';

/**
 * Returns a state value as one word, such as `submitted.execute.calling`. Regions of a parallel state are joined with
 * `+`.
 */
export const stateName = (value: StateValue): string => {
  if (typeof value === 'string') return value;
  let name = '';
  for (const region of Object.keys(value)) {
    const inner = value[region];
    const within = inner === undefined ? '' : stateName(inner);
    name += `${name === '' ? '' : '+'}${region}${within === '' ? '' : `.${within}`}`;
  }
  return name;
};
