import type { CallOutcome, Paused } from '../../guard/outcome.ts';
import { toolFeedback } from '../../guard/tool-feedback.ts';

/** What came of a call that waits for nobody. */
export type Settled = Exclude<CallOutcome, Paused>;

/** What a model is told of a call, as JSON: its result, or an `error` that says why there is none. */
export const resultOf = (outcome: Settled): string =>
  JSON.stringify(outcome.status === 'done' ? outcome.result : { error: toolFeedback(outcome) });
