import { z } from 'zod';
import { Uuid } from '../../schema/index.ts';
import { isRecoverable, recoveryKey } from '../recovery.ts';
import { family } from './family.ts';
import { digest } from './fields.ts';

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
