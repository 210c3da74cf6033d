import type { ReasonCode } from '../../schema/index.ts';
import type { AnswerListing } from '../ports/model.ts';
import type { ExplainedReason, ExplainedViolation } from '../core/kernel/failure-words.ts';
import type { Progress } from '../core/shell/progress.ts';
import { oneLine } from '../text/foreign-text.ts';
import type { Delivered, Done, Ended, Refused, Repairing } from './outcome.ts';

/** The feedback that a model gets on a call that was not made, sent as JSON. */
export interface ToolFeedback {
  readonly code: ReasonCode | 'REPAIRING' | 'ENDED';
  readonly explanation: string;
  /** The answers of people so far. An instruction may be the reason. */
  readonly answers?: readonly Pick<AnswerListing, 'question' | 'feedback'>[];
}

const inWords = (before: string, reasons: readonly ExplainedViolation[]): readonly string[] => [
  before,
  ...reasons.map(({ code, says }) => `${code}: ${says}`),
];

const overBecause = (reasons: readonly ExplainedReason[]): string => {
  const remedies = [...new Set(reasons.map(({ remedy }) => remedy))].filter((remedy) => remedy !== '');
  return [
    ...inWords('The run is over; no more calls are made.', reasons),
    ...(remedies.length === 0 ? [] : [`What a person can do: ${remedies.join(' ')}`]),
  ].join(' ');
};

/** Returns the feedback on a call or an answer. It is the same for all frameworks. */
export const toolFeedback = (outcome: Refused | Repairing | Ended): ToolFeedback => {
  switch (outcome.status) {
    case 'refused':
      return { code: outcome.code, explanation: outcome.explanation };
    case 'repairing': {
      const { unmet } = outcome;
      const answers = outcome.answers.map(({ question, feedback }) => ({ question, feedback }));
      return {
        code: unmet[0]?.code ?? 'REPAIRING',
        explanation: inWords('The attempt was abandoned; the next one begins.', unmet).join(' '),
        ...(answers.length > 0 && { answers }),
      };
    }
    case 'ended':
      return {
        code: outcome.reasons[0]?.code ?? 'ENDED',
        explanation: overBecause(outcome.reasons),
      };
  }
};

const repeats = new WeakSet();

/** Whether a value is what `shownResult` made of the result of another call. */
export const isRepeat = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && repeats.has(value);

/** Returns the result of a call as a model reads it: beside that of an identical call stands that this one was not made. */
export const shownResult = ({ result, of }: Done): unknown => {
  if (of === undefined) return result;
  const note = `Not made again: this is the result of the identical call ${oneLine(of)}.`;
  const repeat = Object.freeze({ note, result });
  repeats.add(repeat);
  return repeat;
};

/** Returns the feedback on an answer that was not delivered. */
export const answerFeedback = (outcome: Refused | Repairing | Ended): string =>
  `The answer was not delivered. ${JSON.stringify(toolFeedback(outcome))}`;

/** Returns the result of a settled run; `null` if the run is not settled. */
export const overIn = ({ outcome, draft, isSettled, state, reasons }: Progress): Delivered | Ended | null => {
  if (outcome === 'success') return { status: 'delivered', payload: draft ?? {} };
  return isSettled ? { status: 'ended', state, reasons } : null;
};
