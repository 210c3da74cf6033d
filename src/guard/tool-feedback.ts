import { reasonMeaning, Uuid, type ReasonCode } from '../../schema/index.ts';
import type { Violation } from '../../machines/index.ts';
import type { AnswerListing } from '../ports/model.ts';
import type { ExplainedReason } from '../orchestrator/failure-words.ts';
import type { Progress } from '../orchestrator/progress.ts';
import type { Delivered, Ended, Refused, Repairing } from './outcome.ts';

/** The feedback that a model gets on a call that was not made, sent as JSON. */
export interface ToolFeedback {
  readonly code: ReasonCode | 'REPAIRING' | 'ENDED';
  readonly explanation: string;
  /** The answers of people so far. An instruction may be the reason. */
  readonly answers?: readonly Pick<AnswerListing, 'question' | 'feedback'>[];
}

/** Returns a requirement in words; the id of a call, which the agent does not know, is not among them. */
const requirementWords = ({ code, about }: Violation): string =>
  `${code}${Uuid.safeParse(about).success ? '' : ` (${about})`}: ${reasonMeaning[code]}`;

const because = (before: string, reasons: readonly Violation[]): string =>
  [before, ...reasons.map(requirementWords)].join(' ');

const overBecause = (reasons: readonly ExplainedReason[]): string => {
  const remedies = [...new Set(reasons.map(({ remedy }) => remedy))].filter((remedy) => remedy !== '');
  return [
    'The run is over; no more calls are made.',
    ...reasons.map(({ code, says }) => `${code}: ${says}`),
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
        explanation: because('The attempt was abandoned; the next one begins.', unmet),
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

/** Returns the feedback on an answer that was not delivered. */
export const answerFeedback = (outcome: Refused | Repairing | Ended): string =>
  `The answer was not delivered. ${JSON.stringify(toolFeedback(outcome))}`;

/** Returns the result of a settled run; `null` if the run is not settled. */
export const overIn = ({ outcome, draft, isSettled, state, reasons }: Progress): Delivered | Ended | null => {
  if (outcome === 'success') return { status: 'delivered', payload: draft ?? {} };
  return isSettled ? { status: 'ended', state, reasons } : null;
};
