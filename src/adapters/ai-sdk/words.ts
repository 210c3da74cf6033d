import { reasonMeaning } from '../../../schema/index.ts';
import type { Violation } from '../../../machines/index.ts';
import type { CallOutcome, Refused, Repairing } from '../../guard/outcome.ts';

const listed = (violations: readonly Violation[]): string =>
  violations.map(({ code, about }) => `${code} (${about}): ${reasonMeaning[code]}`).join('; ');

/** Why a call was not let in, in one line with its code, for a model and for logs; empty for one that was. */
export const whyNot = (verdict: CallOutcome): string => {
  switch (verdict.status) {
    case 'done':
      return '';
    case 'paused': {
      const asked = verdict.questions.map(({ message }) => message.explanation);
      return `APPROVAL_REQUIRED: it waits for ${[...asked, ...verdict.awaits].join('; ')}`;
    }
    case 'refused':
      return `${verdict.code}: ${verdict.explanation}`;
    case 'repairing':
      return `The attempt was given up. ${listed(verdict.unmet)}`;
    case 'ended':
      return `The run is over (${verdict.state}). ${listed(verdict.reasons)}`;
  }
};

/** What a model is told of an answer that was not let out. */
export const notAccepted = (verdict: Refused | Repairing): string => {
  const answers = verdict.status === 'repairing' ? verdict.answers : [];
  const said = answers.map(({ by, feedback }) => `${by} says: ${JSON.stringify(feedback)}`);
  return [`Your answer was not accepted. ${whyNot(verdict)}`, ...said, 'Go on, and answer anew.'].join('\n');
};
