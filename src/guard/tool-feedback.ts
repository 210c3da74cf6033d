import type { ReasonCode } from '../../schema/index.ts';
import type { AnswerListing } from '../base/ports/model.ts';
import type { ExplainedReason, ExplainedViolation } from '../core/kernel/failure-words.ts';
import type { Progress } from '../core/shell/progress.ts';
import { oneLine, visibleJson } from '../base/text/foreign-text.ts';
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

const noted = new WeakSet();

/** Whether a value is a result with the note that `shownResult` makes. */
export const isNoted = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && noted.has(value);

/** Returns the result of a call as a model reads it: beside one of another call, or of a changed one, stands that it is. */
export const shownResult = ({ result, of, changed }: Done): unknown => {
  if (of === undefined && changed === undefined) return result;
  const notes: string[] = [];
  if (changed !== undefined)
    notes.push(
      `${oneLine(changed.by)} changed this call: it was made with ${visibleJson(changed.arguments)}.`,
    );
  if (of !== undefined)
    notes.push(`Not made again: this is the result of the identical call ${oneLine(of)}.`);
  const shown = Object.freeze({ note: notes.join(' '), result });
  noted.add(shown);
  return shown;
};

/** Returns the feedback on an answer that was not delivered. */
export const answerFeedback = (outcome: Refused | Repairing | Ended): string =>
  `The answer was not delivered. ${JSON.stringify(toolFeedback(outcome))}`;

/** Returns the result of a settled run; `null` if the run is not settled. */
export const overIn = ({ outcome, draft, isSettled, state, reasons }: Progress): Delivered | Ended | null => {
  if (outcome === 'success') return { status: 'delivered', payload: draft ?? {} };
  return isSettled ? { status: 'ended', state, reasons } : null;
};
