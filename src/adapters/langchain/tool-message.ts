import type { CallOutcome, Paused } from '../../guard/index.ts';
import { shownResult, toolFeedback } from '../../guard/tool-feedback.ts';

/** The content of a tool message for a model. */
export interface ToolMessageContent {
  /** JSON text. */
  readonly content: string;
  readonly status: 'success' | 'error';
}

/** Returns the outcome of a call as the content of a tool message. */
export const toolMessageOf = (outcome: Exclude<CallOutcome, Paused>): ToolMessageContent =>
  outcome.status === 'done'
    ? { content: JSON.stringify(shownResult(outcome)), status: 'success' }
    : { content: JSON.stringify(toolFeedback(outcome)), status: 'error' };
