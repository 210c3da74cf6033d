import type { State } from './walk.ts';

/** The appearance of a state. */
export type Look = 'group' | 'region' | 'work' | 'gate' | 'person' | 'good' | 'bad' | 'final' | 'history';

/** The appearance of states by their names in the two specifications. */
const looks: ReadonlyMap<string, Look> = new Map([
  ['needsHumanDecision', 'person'],
  ['asking', 'person'],
  ['deliver', 'good'],
  ['completed', 'good'],
  ['fail_safe', 'bad'],
  ['failed', 'bad'],
  ['cancelled', 'bad'],
]);

/** Returns the appearance of a state, by its name or type, or the given default. */
export const lookOf = ({ name, type }: State, otherwise: Look): Look => {
  if (type === 'history') return 'history';
  return looks.get(name) ?? (type === 'final' ? 'final' : otherwise);
};
