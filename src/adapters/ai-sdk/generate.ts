import { NoObjectGeneratedError } from 'ai';
import { overIn } from '../../guard/tool-feedback.ts';
import type {
  GuardedGeneration,
  GuardedStop,
  SavedGeneration,
  SavedStop,
  SealedGeneration,
} from './agent.ts';
import { guardedLoop, type Generation } from './loop.ts';

// oxlint-disable-next-line require-yield -- it yields nothing
const generated: Generation<never> = async function* generated({ run, agent }, messages, watch) {
  const { onStart, onStepStart, onStepEnd, added, signal, orRefused } = watch;
  const callbacks = { onStart, onStepStart, onStepEnd, abortSignal: signal };
  try {
    await orRefused(agent.generate({ messages: [...messages], ...callbacks }));
  } catch (error) {
    // the chart counts an answer that does not fit `output`; a settled run calls no model
    const isJudgedElsewhere = NoObjectGeneratedError.isInstance(error) && added.length > 0;
    if (!isJudgedElsewhere && overIn(await run.progress()) === null) throw error;
  }
};

/**
 * Runs an AI SDK agent until its run delivers, pauses or ends. The chart checks its calls and its answer. The
 * agent gets the issues of a rejected answer and continues.
 *
 * Where it stops, its messages are saved with the task, and the next generation of this run continues from them, also
 * in another process. With a `key`, you keep them instead: pass `kept` of the stop to continue.
 *
 * Throws `definition_invalid` for an agent that calls tools that are not bound, and for a weak key;
 * `document_invalid` if the last message is not of the user; `input_unreadable` if `kept` was changed; and
 * what the SDK throws.
 */
export function generateGuarded(given: SavedGeneration): Promise<SavedStop>;
export function generateGuarded(given: SealedGeneration): Promise<GuardedStop>;
export async function generateGuarded(given: GuardedGeneration): Promise<SavedStop | GuardedStop> {
  const loop = guardedLoop(given, generated);
  for (;;) {
    const next = await loop.next();
    if (next.done === true) return next.value;
  }
}
