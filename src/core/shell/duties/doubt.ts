import * as z from 'zod';
import { isRecoverable, type FactOf } from '../../../../machines/index.ts';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { kept } from '../../../base/canonical/kept.ts';
import type { RecoveryDocument } from '../../../base/ports/ledger.ts';
import type { Doubt, Found, LookupContext } from '../../../base/ports/tool.ts';
import { mayRecoverLate, type LateWrite } from '../../kernel/projection/writes.ts';
import { orchestratorActor } from '../../kernel/statement.ts';
import { stated, statedLate, type LiveTask, type Stated, type Stating } from '../live-task.ts';
import { withHostSignal, type WorkSignal } from '../work-signal.ts';

/** The limit and the record of an effect's recovery. */
interface Recovery {
  readonly effect: RecoveryDocument['effect'];
  /** Returns whether the effect may be looked up or retried again. */
  readonly mayRecover: () => boolean;
  /** States the recovery. It is not taken if the effect is no longer in doubt. */
  readonly recovered: (recovery: RecoveryDocument, isStillValid: () => boolean) => Stated;
}

/** An effect with an intent and no outcome, and its tool's declarations. */
export interface Doubtful extends Recovery {
  readonly key: string;
  readonly tool: string;
  readonly doubt: Doubt;
  readonly lookup: ((key: string, context: LookupContext) => Promise<Found>) | null;
  readonly context: Omit<LookupContext, 'signal'> & { readonly signal: WorkSignal };
  /** Asks whether the effect may be made again; `null` if it always may. */
  readonly mayRepeat: (() => Stating<boolean>) | null;
  /** Returns whether what a look-up finds is this effect: no earlier one under its key was undone. */
  readonly mayAdopt: () => boolean;
  /** Returns whether a resolution still holds when its turn to be recorded comes. */
  readonly isStillValid: (resolution: Resolution['is']) => boolean;
  readonly onLookupFailed: (error: unknown) => void;
}

/** Returns the recovery of an effect of the run; the chart limits it. */
export const recoveryIn = (
  task: LiveTask,
  { request, effect, digest }: Omit<FactOf<'recovery.started'>, 'type'>,
): Recovery => ({
  effect,
  mayRecover: () => isRecoverable(task.view.context, effect, digest),
  recovered: (recovery, isStillValid) =>
    stated(
      { type: 'recovery.started', request, effect, digest },
      { actor: orchestratorActor, brought: { recovery } },
      isStillValid,
    ),
});

/** Returns the recovery of a late write's rollback; its own chart limits it. */
export const lateRecoveryIn = (
  task: LiveTask,
  { request, digest }: Pick<LateWrite, 'request' | 'digest'>,
): Recovery => ({
  effect: 'rollback',
  mayRecover: () =>
    task.view.projection.lateWrites.some(
      (late) => late.digest === digest && mayRecoverLate(late, task.view.context),
    ),
  recovered: (recovery, isStillValid) => {
    const fact = { type: 'recovery.started', request, effect: 'rollback', digest } as const;
    return statedLate(fact, { actor: orchestratorActor, brought: { recovery } }, isStillValid);
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

/** Looks up an effect. An error or an unreadable answer counts as `unknown`, and so does `done` of what may be another. */
const lookUp = async ({ lookup, key, context, mayAdopt, onLookupFailed }: Doubtful): Promise<Found> => {
  try {
    const { signal, ...given } = context;
    const asked = withHostSignal(given, signal);
    const answer = kept(await lookup?.(key, asked), 'Found').value;
    const found = parseDocument('what lookup returned', Answer, answer);
    return found.found === 'done' && !mayAdopt() ? { found: 'unknown' } : found;
  } catch (error) {
    if (!context.signal.aborted) onLookupFailed(error);
    return { found: 'unknown' };
  }
};

/** Returns the resolutions that an answer allows, the preferred one first. */
const resolutionsOf = (found: Found | null, mayRepeat: boolean): readonly Resolution[] => {
  const repeated: readonly Resolution[] = mayRepeat ? [{ is: 'repeated' }] : [];
  switch (found?.found) {
    case 'done':
      return [{ is: 'adopted', result: found.result }];
    case 'absent':
      return [...repeated, { is: 'closed' }];
    case undefined:
      return [...repeated, { is: 'left' }];
    case 'unknown':
      return [{ is: 'left' }];
  }
};

/** States a resolution. It is not taken if it does not hold any more. */
const resolved = (effect: Doubtful, found: Found | null, { is }: Resolution): Stated => {
  const recovery = {
    effect: effect.effect,
    key: effect.key,
    tool: effect.tool,
    doubt: effect.doubt,
    ...(found !== null && { found: found.found }),
    resolution: is,
  };
  return effect.recovered(recovery, () => effect.isStillValid(is));
};

/**
 * Resolves an effect in doubt as its tool declares, and states the resolution first.
 *
 * An effect that may not be repeated stays in doubt, or is closed if a look-up shows that it did not happen. Whether it
 * may is asked after the look-up, and again when the resolution is recorded: a look-up takes its time. An effect that a
 * look-up finds is adopted also by a run that gave it up, so that it is undone.
 */
export async function* resolutionFor(effect: Doubtful): Stating<Resolution> {
  const { doubt, context } = effect;
  if (doubt === 'unsafe' || !effect.mayRecover()) return { is: 'left' };
  const found = doubt === 'reconcilable' ? await lookUp(effect) : null;
  const isAsked = (found === null || found.found === 'absent') && !context.signal.aborted;
  const mayRepeat = isAsked && (effect.mayRepeat === null || (yield* effect.mayRepeat()));
  for (const resolution of resolutionsOf(found, mayRepeat)) {
    const isTaken = yield resolved(effect, found, resolution);
    if (isTaken || resolution.is === 'adopted') return resolution;
  }
  return { is: 'left' };
}
