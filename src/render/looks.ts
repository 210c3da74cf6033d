import type { State } from './walk.ts';

/** How a state is drawn: what it owes or decides, or how a run ends in it. */
export type Look = 'group' | 'region' | 'work' | 'gate' | 'person' | 'good' | 'bad' | 'final' | 'history';

/** The states of the two specifications whose names say how they are to be seen. */
const looks: ReadonlyMap<string, Look> = new Map([
  ['needsHumanDecision', 'person'],
  ['asking', 'person'],
  ['deliver', 'good'],
  ['completed', 'good'],
  ['fail_safe', 'bad'],
  ['failed', 'bad'],
  ['cancelled', 'bad'],
]);

/** How a state is seen from outside: by its name, by its type, or as what else it is. */
export const lookOf = ({ name, type }: State, otherwise: Look): Look => {
  if (type === 'history') return 'history';
  return looks.get(name) ?? (type === 'final' ? 'final' : otherwise);
};
