import { z } from 'zod';
import { Uuid } from '../../schema/index.ts';
import type { Context } from '../context.ts';
import { runOf } from '../owed.ts';
import { family } from './family.ts';
import { digest } from './fields.ts';

/** What a recovery is about: a call, or the rollback of its write. */
export type Recoverable = 'call' | 'rollback';

/** Returns the key under which recoveries of an effect are counted. */
export const recoveryKey = (effect: Recoverable, digest: string): string => `${effect} ${digest}`;

const isInDoubt = (c: Context, effect: Recoverable, digest: string): boolean =>
  effect === 'call'
    ? runOf(c).calls.some(
        (call) => call.digest === digest && (call.status === 'started' || call.status === 'doubted'),
      )
    : c.effects.some((one) => one.digest === digest && one.status === 'undoing');

/** Returns whether an effect has started without an outcome, and has a recovery (lookup or retry) left. */
export const isRecoverable = (c: Context, effect: Recoverable, digest: string): boolean =>
  isInDoubt(c, effect, digest) &&
  (c.recoveries[recoveryKey(effect, digest)] ?? 0) < c.taskClass.limits.recoveries;

/**
 * The fact that a recovery starts: an effect in doubt is looked up, or retried under its idempotency key
 * (interpretation 0059).
 */
export const recoveryFacts = family({
  'recovery.started': {
    cites: 'interpretation 0059',
    shape: { request: Uuid, effect: z.enum(['call', 'rollback']), digest },
    accepts: (c, { request, effect, digest: of }) => request === c.request && isRecoverable(c, effect, of),
    apply: ({ recoveries }, { effect, digest: of }) => {
      const key = recoveryKey(effect, of);
      return { recoveries: { ...recoveries, [key]: (recoveries[key] ?? 0) + 1 } };
    },
    outcome: () => 'pending',
    says: ({ effect, digest: of }, words) =>
      `the ${effect} of ${words.action(of)} is looked up or made again`,
  },
});
