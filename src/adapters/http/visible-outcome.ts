import type { UpFormatMessage } from '../../../schema/index.ts';
import { messagesIn } from '../../core/kernel/projection/thread.ts';
import { endOf } from '../../core/kernel/settled.ts';
import { readsOf } from './reads.ts';
import { plainWords } from '../../core/kernel/failure-words.ts';
import type { CallOutcome, ClearedCall, Conclusion } from '../../guard/outcome.ts';
import type { Asked } from './route.ts';

/** Returns an outcome without what only a reader of the run may see: its questions, and calls in the words of a reason. */
const withoutContent = <Outcome extends ClearedCall | CallOutcome | Conclusion>(
  outcome: Outcome,
): Outcome => {
  if (outcome.status === 'paused') return { ...outcome, questions: [] };
  if (outcome.status !== 'ended') return outcome;
  return { ...outcome, reasons: outcome.reasons.map((reason) => ({ ...reason, ...plainWords(reason) })) };
};

/** Returns an outcome as far as the agent may read it. That of a run that is over has the message that ended it. */
export const visibleOutcome = async <Outcome extends ClearedCall | CallOutcome | Conclusion>(
  asked: Asked,
  outcome: Outcome,
): Promise<Outcome | (Outcome & { readonly message: UpFormatMessage | undefined })> => {
  const { status } = outcome;
  const isOver = status === 'delivered' || status === 'ended';
  if (!isOver && status !== 'paused') return outcome;
  if (!(await asked.access.mayRead(asked.caller, asked.id))) return withoutContent(outcome);
  if (!isOver) return outcome;
  const reads = await readsOf(asked, asked.id);
  return { ...outcome, message: endOf(messagesIn(await reads.documents())) };
};
