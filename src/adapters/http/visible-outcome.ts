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

/** Returns an outcome as far as the agent may read it. */
export const visibleOutcome = async <Outcome extends ClearedCall | CallOutcome | Conclusion>(
  { access, caller, id }: Asked,
  outcome: Outcome,
): Promise<Outcome> =>
  (outcome.status === 'paused' || outcome.status === 'ended') && !(await access.mayRead(caller, id))
    ? withoutContent(outcome)
    : outcome;
