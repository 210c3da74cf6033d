import type { StateValue } from 'xstate';

/**
 * Returns a state value as one word, such as `submitted.execute.calling`. Regions of a parallel state are joined with
 * `+`.
 */
export const stateName = (value: StateValue): string => {
  if (typeof value === 'string') return value;
  const names = Object.entries(value).map(([region, inner = '']) => [region, stateName(inner)]);
  return names.map(([region, within]) => (within === '' ? region : `${region}.${within}`)).join('+');
};
