import type { Run } from '../../guard/run.ts';

const owners = new WeakMap<object, Run>();

/** Marks a tool as one of a run: whatever it calls is proposed there. */
export const owned = <Bound extends object>(bound: Bound, run: Run): Bound => {
  owners.set(bound, run);
  return bound;
};

/** Whether whatever a tool calls is proposed to this run. */
export const isOwnedBy = (bound: object, run: Run): boolean => owners.get(bound) === run;
