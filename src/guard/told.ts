import { reasonMeaning, type ReasonCode } from '../../schema/index.ts';
import type { Violation } from '../../machines/index.ts';
import type { AnswerListing } from '../ports/model.ts';
import type { Progress } from '../orchestrator/progress.ts';
import type { Delivered, Ended, Refused, Repairing } from './outcome.ts';

/** What a model is told of a proposal that brought nothing, to be said as JSON. */
export interface Told {
  readonly code: ReasonCode | 'REPAIRING' | 'ENDED';
  readonly explanation: string;
  /** What people said on the way, if they did: an instruction may be why. */
  readonly answers?: readonly Pick<AnswerListing, 'question' | 'feedback'>[];
}

const because = (before: string, reasons: readonly Violation[]): string =>
  [before, ...reasons.map(({ code, about }) => `${code} (${about}): ${reasonMeaning[code]}`)].join(' ');

/** The words for what became of a call or an answer, the same for the models of all frameworks. */
export const toldOf = (outcome: Refused | Repairing | Ended): Told => {
  switch (outcome.status) {
    case 'refused':
      return { code: outcome.code, explanation: outcome.explanation };
    case 'repairing': {
      const { unmet } = outcome;
      const answers = outcome.answers.map(({ question, feedback }) => ({ question, feedback }));
      return {
        code: unmet[0]?.code ?? 'REPAIRING',
        explanation: because('The attempt was given up, and the next one begins.', unmet),
        ...(answers.length > 0 && { answers }),
      };
    }
    case 'ended':
      return {
        code: outcome.reasons[0]?.code ?? 'ENDED',
        explanation: because('The run is over; nothing more is done.', outcome.reasons),
      };
  }
};

/** What a model is told of an answer that was not let out. */
export const toldOfAnswer = (outcome: Refused | Repairing | Ended): string =>
  `The answer was not let out. ${JSON.stringify(toldOf(outcome))}`;

/** What whoever runs an agent is told of a run that is over: no model is asked any more; `null` of one that is not. */
export const overIn = ({ outcome, draft, isSettled, state, reasons }: Progress): Delivered | Ended | null => {
  if (outcome === 'success') return { status: 'delivered', payload: draft ?? {} };
  return isSettled ? { status: 'ended', state, reasons } : null;
};
