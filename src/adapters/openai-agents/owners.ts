import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import type { Run } from '../../guard/run.ts';

const owners = new WeakMap<object, Run>();

/** A tool of the SDK, as far as it is frozen. */
interface Freezable {
  parameters: object;
}

/**
 * Marks a tool as bound to a run, and freezes it.
 *
 * Its parameters are marked too, because the SDK sends those to a model.
 */
export const owned = <Bound extends Freezable>(bound: Bound, run: Run): Bound => {
  owners.set(bound, run);
  bound.parameters = deepFreeze(structuredClone(bound.parameters)); // other tools may share them
  owners.set(bound.parameters, run);
  for (const member of Object.values(bound)) if (Array.isArray(member)) Object.freeze(member); // its guardrails
  return Object.freeze(bound);
};

/** Returns whether a tool, or the parameters sent to a model, belong to this run. */
export const isOwnedBy = (bound: unknown, run: Run): boolean =>
  typeof bound === 'object' && bound !== null && owners.get(bound) === run;
