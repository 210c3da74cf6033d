import * as z from 'zod';
import { isRecoverable, type FactOf } from '../../../machines/index.ts';
import { ownSignal } from '../../boundary/own-signal.ts';
import { frozenCopy } from '../../canonical/freeze.ts';
import { mayRecoverLate, type LateWrite } from '../../ledger/projection/writes.ts';
import type { RecoveryDocument } from '../../ports/ledger.ts';
import type { Doubt, Found, LookupContext } from '../../ports/tool.ts';
import { orchestratorActor } from '../record.ts';
import type { Task } from '../task.ts';

/** The limit and the record of an effect's recovery. */
interface Recovery {
  readonly effect: RecoveryDocument['effect'];
  /** Returns whether the effect may be looked up or retried again. */
  readonly mayRecover: () => boolean;
  /** Records the recovery. Returns `false` if the effect is no longer in doubt. */
  readonly record: (recovery: RecoveryDocument) => Promise<boolean>;
}

/** An effect with an intent and no outcome, and its tool's declarations. */
export interface Doubtful extends Recovery {
  readonly key: string;
  readonly tool: string;
  readonly doubt: Doubt;
  readonly lookup: ((key: string, context: LookupContext) => Promise<Found>) | null;
  readonly context: LookupContext;
  readonly onLookupFailed: (error: unknown) => void;
}

/** Returns the recovery of an effect of the run; the chart limits it. */
export const recoveryIn = (
  task: Task,
  { request, effect, digest }: Omit<FactOf<'recovery.started'>, 'type'>,
): Recovery => ({
  effect,
  mayRecover: () => isRecoverable(task.view.context, effect, digest),
  record: (recovery) =>
    task.submitWithRetry(
      { type: 'recovery.started', request, effect, digest },
      { actor: orchestratorActor, brought: { recovery } },
    ),
});

/** Returns the recovery of a late write's rollback; its own chart limits it. */
export const lateRecoveryIn = (
  task: Task,
  { request, digest }: Pick<LateWrite, 'request' | 'digest'>,
): Recovery => ({
  effect: 'rollback',
  mayRecover: () =>
    task.view.projection.lateWrites.some(
      (late) => late.digest === digest && mayRecoverLate(late, task.view.context),
    ),
  record: async (recovery) => {
    const fact = { type: 'recovery.started', request, effect: 'rollback', digest } as const;
    await task.recordOrphan(fact, { actor: orchestratorActor, brought: { recovery } });
    return true;
  },
});

/** The resolution of an effect in doubt. */
export type Resolution =
  | { readonly is: 'repeated' }
  | { readonly is: 'adopted'; readonly result: unknown }
  | { readonly is: 'closed' }
  | { readonly is: 'left' };

const Answer = z.discriminatedUnion('found', [
  z.strictObject({ found: z.literal('done'), result: z.unknown().optional() }),
  z.strictObject({ found: z.literal('absent') }),
  z.strictObject({ found: z.literal('unknown') }),
]);

/** Looks up an effect. An error or an unreadable answer counts as `unknown`. */
const lookUp = async ({ lookup, key, context, onLookupFailed }: Doubtful): Promise<Found> => {
  try {
    const asked = { ...context, signal: ownSignal(context.signal) };
    return Answer.parse(frozenCopy(await lookup?.(key, asked), 'Found'));
  } catch (error) {
    if (!context.signal.aborted) onLookupFailed(error);
    return { found: 'unknown' };
  }
};

const resolutionOf = (found: Found, mayRepeat: boolean): Resolution => {
  switch (found.found) {
    case 'done':
      return { is: 'adopted', result: found.result };
    case 'absent':
      return { is: mayRepeat ? 'repeated' : 'closed' };
    case 'unknown':
      return { is: 'left' };
  }
};

/**
 * Resolves an effect in doubt as its tool declares, and records the resolution first.
 *
 * If `mayRepeat` is false, the effect is not retried: it stays in doubt, or is closed if a look-up shows that it did
 * not happen.
 */
export const resolutionFor = async (effect: Doubtful, mayRepeat: boolean): Promise<Resolution> => {
  const { doubt, key, tool } = effect;
  if (doubt === 'unsafe' || !effect.mayRecover()) return { is: 'left' };
  const found = doubt === 'reconcilable' ? await lookUp(effect) : null;
  const resolution: Resolution =
    found === null ? { is: mayRepeat ? 'repeated' : 'left' } : resolutionOf(found, mayRepeat);
  const isRecorded = await effect.record({
    effect: effect.effect,
    key,
    tool,
    doubt,
    ...(found !== null && { found: found.found }),
    resolution: resolution.is,
  });
  return isRecorded ? resolution : { is: 'left' };
};
