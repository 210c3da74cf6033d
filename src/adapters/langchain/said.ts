import type { CallOutcome, Paused } from '../../guard/index.ts';
import { toolFeedback } from '../../guard/tool-feedback.ts';

/** What a model is told of a call, as the message of a tool. */
export interface Said {
  /** JSON. */
  readonly content: string;
  readonly status: 'success' | 'error';
}

/** What became of a call, in the words of a tool's message. */
export const saidOf = (outcome: Exclude<CallOutcome, Paused>): Said =>
  outcome.status === 'done'
    ? { content: JSON.stringify(outcome.result), status: 'success' }
    : { content: JSON.stringify(toolFeedback(outcome)), status: 'error' };
