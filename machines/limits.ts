import type { Change } from './change.ts';
import type { Context } from './context.ts';
import { asksAtLimits, type AskedLimit } from './task-class.ts';

/** How often a person may let a run go beyond one limit. */
const mostExtensions = 3;

const extensionsOf = ({ extensions }: Context, limit: AskedLimit): number => extensions?.[limit] ?? 0;

/** Returns how much of a limit is used. A pause that a person's answer ended costs nothing. */
const usedOf = ({ counters, answered = 0 }: Context, limit: AskedLimit): number =>
  limit === 'pauses' ? counters.pauses - answered : counters[limit];

/** Returns what a limit allows: the amount of the task class, and as much again for each time that a person let the run go on. */
const allowedBy = (c: Context, limit: AskedLimit): number =>
  c.taskClass.limits[limit] * (1 + extensionsOf(c, limit));

/** Returns whether a limit is reached. */
export const isSpent = (c: Context, limit: AskedLimit): boolean => usedOf(c, limit) >= allowedBy(c, limit);

/** Returns whether a person may be asked to let the run go beyond a limit. A limit of 0 is meant. */
export const mayExtend = (c: Context, limit: AskedLimit): boolean =>
  asksAtLimits(c.taskClass) && c.taskClass.limits[limit] > 0 && extensionsOf(c, limit) < mostExtensions;

/** Lets the run go beyond a limit by its amount. */
export const extendedBy = (c: Context, limit: AskedLimit): Change => ({
  extensions: { ...c.extensions, [limit]: extensionsOf(c, limit) + 1 },
});

/** Returns whether the run may pause once more, for a question or a dependency, if need be once a person lets it go on. */
export const mayPause = (c: Context): boolean => !isSpent(c, 'pauses') || mayExtend(c, 'pauses');
