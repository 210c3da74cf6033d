import { Phase } from '../../../../schema/index.ts';
import type { Stop } from '../wire.ts';

const phaseIn = (state: string): Phase | undefined =>
  Phase.safeParse(/^submitted\.([a-z_]+)/.exec(state)?.[1]).data;

const ends: Readonly<Record<string, true>> = { completed: true, followup: true };
const failures: Readonly<Record<string, true>> = { failed: true, cancelled: true };

/**
 * Returns the progress of a task through the phases (UAICP 3), with `fail_safe` only if it was reached. `states` are
 * the states of its records, in order.
 */
export const railOf = (states: readonly string[]): readonly Stop[] => {
  const now = states.at(-1) ?? '';
  const outer = now.split('.')[0] ?? '';
  const reached = states.flatMap((state) => phaseIn(state) ?? []).findLast((phase) => phase !== 'fail_safe');
  const at = reached === undefined ? -1 : Phase.options.indexOf(reached);
  const hasFailed = failures[outer] === true || phaseIn(now) === 'fail_safe';
  const howReached = (): Stop['how'] => {
    if (hasFailed) return 'failed';
    return outer === 'submitted' ? 'active' : 'paused';
  };
  return Phase.options.flatMap((phase, index): Stop | readonly [] => {
    if (phase === 'fail_safe') return hasFailed ? { phase, how: 'failed' } : [];
    if (ends[outer] === true || index < at) return { phase, how: 'passed' };
    return { phase, how: index === at ? howReached() : 'ahead' };
  });
};
