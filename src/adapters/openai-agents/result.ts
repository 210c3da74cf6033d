import type { CallOutcome, Paused } from '../../guard/outcome.ts';
import { toolFeedback } from '../../guard/tool-feedback.ts';

/** The final outcome of a call. */
export type Settled = Exclude<CallOutcome, Paused>;

/** Returns the outcome of a call for a model, as JSON: its result, or an `error` with the reason. */
export const resultOf = (outcome: Settled): string =>
  JSON.stringify(outcome.status === 'done' ? outcome.result : { error: toolFeedback(outcome) });
