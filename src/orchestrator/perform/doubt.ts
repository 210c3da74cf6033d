import * as z from 'zod';
import { ownSignal } from '../../boundary/own-signal.ts';
import { frozenCopy } from '../../canonical/freeze.ts';
import type { RecoveryDocument } from '../../ports/ledger.ts';
import type { Doubt, Found, LookupContext } from '../../ports/tool.ts';
import { mayTakeUp } from '../view.ts';
import type { Task } from '../task.ts';

/** An effect of which there is an intent and no outcome, and what its tool says of that. */
export interface Doubtful {
  readonly effect: RecoveryDocument['effect'];
  readonly key: string;
  readonly tool: string;
  readonly doubt: Doubt;
  readonly lookup: ((key: string, context: LookupContext) => Promise<Found>) | null;
  readonly context: LookupContext;
  readonly onLookupFailed: (error: unknown) => void;
}

/** What is to be done about it. */
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

/** What a look-up found; one that throws, or says what cannot be read, knows nothing. */
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
 * Resolves an effect in doubt as its tool declares, and records that before anything is done about it.
 *
 * What `mayRepeat` forbids is not made again: it is left, or closed where a look-up shows that it did not happen.
 */
export const resolutionFor = async (
  task: Task,
  effect: Doubtful,
  mayRepeat: boolean,
): Promise<Resolution> => {
  const { doubt, key, tool } = effect;
  if (doubt === 'unsafe' || !mayTakeUp(task.view.projection, key)) return { is: 'left' };
  const found = doubt === 'reconcilable' ? await lookUp(effect) : null;
  const resolution: Resolution =
    found === null ? { is: mayRepeat ? 'repeated' : 'left' } : resolutionOf(found, mayRepeat);
  await task.recover({
    effect: effect.effect,
    key,
    tool,
    doubt,
    ...(found !== null && { found: found.found }),
    resolution: resolution.is,
  });
  return resolution;
};
