import { reasonMeaning, type ReasonCode } from '../../../schema/index.ts';
import type { CallOutcome, Conclusion, Paused } from '../../guard/index.ts';

/** What a model is told of a call. */
export interface Said {
  /** JSON. */
  readonly content: string;
  readonly status: 'success' | 'error';
}

interface Told {
  readonly code: ReasonCode | 'ENDED';
  readonly explanation: string;
  /** What people said on the way. */
  readonly answers?: readonly unknown[];
}

type Reasons = Extract<CallOutcome, { status: 'ended' }>['reasons'];

const told = (before: string, reasons: Reasons): Told => ({
  code: reasons[0]?.code ?? 'ENDED',
  explanation: [
    before,
    ...reasons.map(({ code, about }) => `${code} (${about}): ${reasonMeaning[code]}`),
  ].join(' '),
});

const isGivenUp = 'The attempt was given up, and the next one begins.';
const isOver = 'The run is over; nothing more is done.';

const failure = (
  outcome: Exclude<CallOutcome | Conclusion, Paused | { status: 'done' | 'delivered' }>,
): Told => {
  switch (outcome.status) {
    case 'refused':
      return { code: outcome.code, explanation: outcome.explanation };
    case 'repairing': {
      const answers = outcome.answers.map(({ question, feedback }) => ({ question, feedback }));
      return { ...told(isGivenUp, outcome.unmet), ...(answers.length === 0 ? {} : { answers }) };
    }
    case 'ended':
      return told(isOver, outcome.reasons);
  }
};

/** What became of a call, in the words of a tool's message. */
export const saidOfCall = (outcome: Exclude<CallOutcome, Paused>): Said =>
  outcome.status === 'done'
    ? { content: JSON.stringify(outcome.result), status: 'success' }
    : { content: JSON.stringify(failure(outcome)), status: 'error' };

/** Why an answer was not let out. */
export const saidOfDraft = (outcome: Exclude<Conclusion, Paused | { status: 'delivered' }>): string =>
  `The answer was not let out. ${JSON.stringify(failure(outcome))}`;
