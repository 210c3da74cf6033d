import { NoObjectGeneratedError } from 'ai';
import { overIn } from '../../guard/tool-feedback.ts';
import type { GuardedGeneration, GuardedStop } from './agent.ts';
import { guardedLoop, type Generation } from './loop.ts';

// oxlint-disable-next-line require-yield -- it shows nothing on the way
const generated: Generation<never> = async function* generated({ run, agent }, messages, watch) {
  const { onStart, onStepStart, onStepEnd, added, signal, orRefused } = watch;
  const callbacks = { onStart, onStepStart, onStepEnd, abortSignal: signal };
  try {
    await orRefused(agent.generate({ messages: [...messages], ...callbacks }));
  } catch (error) {
    // an answer that does not fit its `output` is the chart's to count; and no model is asked once a run is over
    const isJudgedElsewhere = NoObjectGeneratedError.isInstance(error) && added.length > 0;
    if (!isJudgedElsewhere && overIn(await run.progress()) === null) throw error;
  }
};

/**
 * Runs an agent of the AI SDK under a run until it delivers, pauses or ends: what it calls and what it answers, the chart lets
 * through; what was not accepted it is told, and goes on.
 *
 * Throws `definition_invalid` for an agent that calls other tools than those that were bound to the run, and for a weak key;
 * `document_invalid` for messages that do not end with one of the user; `input_unreadable` for what was kept and changed;
 * and what the SDK throws.
 */
export const generateGuarded = async (given: GuardedGeneration): Promise<GuardedStop> => {
  const loop = guardedLoop(given, generated);
  for (;;) {
    const next = await loop.next();
    if (next.done === true) return next.value;
  }
};
