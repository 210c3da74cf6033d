import { deepFreeze } from '../../canonical/deep-freeze.ts';
import type { Run } from '../../guard/run.ts';

const owners = new WeakMap<object, Run>();

/** A tool of the SDK, as far as it is frozen here. */
interface Freezable {
  parameters: object;
}

/**
 * Marks a tool as one of a run, and freezes it: whatever it calls is proposed there, and nothing of it can be replaced.
 *
 * Its parameters are what the SDK sends to a model: they carry the mark too.
 */
export const owned = <Bound extends Freezable>(bound: Bound, run: Run): Bound => {
  owners.set(bound, run);
  bound.parameters = deepFreeze(structuredClone(bound.parameters)); // other tools may share them
  owners.set(bound.parameters, run);
  for (const member of Object.values(bound)) if (Array.isArray(member)) Object.freeze(member); // its guardrails
  return Object.freeze(bound);
};

/** Whether a tool, or the parameters that a model is sent, belong to this run. */
export const isOwnedBy = (bound: unknown, run: Run): boolean =>
  typeof bound === 'object' && bound !== null && owners.get(bound) === run;
