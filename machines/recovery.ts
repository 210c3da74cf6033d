import type { Context } from './context.ts';
import { callsOf } from './owed.ts';

/** What may be in doubt: the effect of a call, or its rollback. */
export type Recoverable = 'call' | 'rollback';

/** Returns the name under which recoveries of an effect are counted. */
export const recoveryKey = (effect: Recoverable, digest: string): string => `${effect} ${digest}`;

const isInDoubt = (c: Context, effect: Recoverable, digest: string): boolean =>
  effect === 'call'
    ? callsOf(c).some(
        (call) => call.digest === digest && (call.status === 'started' || call.status === 'doubted'),
      )
    : c.effects.some((one) => one.digest === digest && one.status === 'undoing');

/** Whether an effect has begun without an outcome, and may be looked up or made again once more. */
export const isRecoverable = (c: Context, effect: Recoverable, digest: string): boolean =>
  isInDoubt(c, effect, digest) &&
  (c.recoveries[recoveryKey(effect, digest)] ?? 0) < c.taskClass.limits.recoveries;
