import { reasonMeaning, type ReasonCode } from '../../../schema/index.ts';
import type { CallOutcome, Refused, Repairing } from '../../guard/outcome.ts';
import type { Violation } from '../../../machines/index.ts';

const reason = ({ code, about }: Violation) => ({
  code,
  about,
  explanation: reasonMeaning[code satisfies ReasonCode],
});

/** What came of a call that waits for nobody. */
export type Settled = Exclude<CallOutcome, { readonly status: 'paused' }>;

const errorOf = (outcome: Exclude<Settled, { readonly status: 'done' }>): object => {
  switch (outcome.status) {
    case 'refused':
      return outcome;
    case 'repairing':
      return {
        status: outcome.status,
        reasons: outcome.unmet.map(reason),
        answers: outcome.answers.map(({ question, feedback }) => ({ question, feedback })),
      };
    case 'ended':
      return { status: outcome.status, state: outcome.state, reasons: outcome.reasons.map(reason) };
  }
};

/** What a model is told of a call, as JSON: its result, or `error` with the codes that say why there is none. */
export const toldOf = (outcome: Settled): string =>
  JSON.stringify(outcome.status === 'done' ? outcome.result : { error: errorOf(outcome) });

/** What a model is told of an answer that does not go out. */
export const adviceOf = (verdict: Refused | Repairing): string =>
  `Your answer is not delivered: ${JSON.stringify(errorOf(verdict))}. Mend what is named, and answer again.`;
