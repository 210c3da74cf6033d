import type { Progress } from '../core/shell/progress.ts';
import { questionsFor } from './agent-reads.ts';
import type { GuardContext } from './guard-context.ts';
import type { Paused } from './outcome.ts';
import type { Pending } from './pending-proposals.ts';
import { isMovingOn, isWaiting } from './verdicts.ts';

/**
 * Returns what a run waits for before it goes on with a proposal: people, events outside, or the agent, which has a call to perform or to undo itself;
 * `null` if it goes on by itself.
 */
export const pausedOn = async (
  context: GuardContext,
  taskId: string,
  pending: Pending,
  progress: Progress,
): Promise<Paused | null> => {
  const { waiting, rollbacks } = context.callers;
  const others = waiting(taskId).filter((ref) => !('ref' in pending) || ref !== pending.ref);
  const own = [...others, ...rollbacks(taskId).map(({ ref }) => ref)];
  const mayAsk = isWaiting(progress) || progress.reasons.length > 0; // a person may have to undo what was done
  if (!mayAsk && own.length === 0) return null;
  if (await isMovingOn(pending, progress, context)) return null;
  const questions = await questionsFor(context, taskId);
  const refOf = (id: string): string => progress.calls.find((call) => call.id === id)?.ref ?? id; // of a call that its caller makes
  const awaits = [...progress.awaits.map(refOf), ...own];
  return questions.length + awaits.length > 0 ? { status: 'paused', questions, awaits } : null;
};
