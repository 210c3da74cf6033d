import type { Context } from './context.ts';
import { callsOf } from './owed.ts';

/** What a recovery is about: a call, or the rollback of its write. */
export type Recoverable = 'call' | 'rollback';

/** Returns the key under which recoveries of an effect are counted. */
export const recoveryKey = (effect: Recoverable, digest: string): string => `${effect} ${digest}`;

const isInDoubt = (c: Context, effect: Recoverable, digest: string): boolean =>
  effect === 'call'
    ? callsOf(c).some(
        (call) => call.digest === digest && (call.status === 'started' || call.status === 'doubted'),
      )
    : c.effects.some((one) => one.digest === digest && one.status === 'undoing');

/** Returns whether an effect has started without an outcome, and has a recovery (lookup or retry) left. */
export const isRecoverable = (c: Context, effect: Recoverable, digest: string): boolean =>
  isInDoubt(c, effect, digest) &&
  (c.recoveries[recoveryKey(effect, digest)] ?? 0) < c.taskClass.limits.recoveries;
