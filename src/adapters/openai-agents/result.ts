import type { CallOutcome, Paused } from '../../guard/outcome.ts';
import { shownResult, toolFeedback } from '../../guard/tool-feedback.ts';

/** The final outcome of a call. */
export type Settled = Exclude<CallOutcome, Paused>;

/** Returns the outcome of a call for a model: a text as it is, any other result as JSON, or an `error` with the reason. */
export const resultOf = (outcome: Settled): string => {
  if (outcome.status !== 'done') return JSON.stringify({ error: toolFeedback(outcome) });
  const result = shownResult(outcome);
  return typeof result === 'string' ? result : JSON.stringify(result);
};
