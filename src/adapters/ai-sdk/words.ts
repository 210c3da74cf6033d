import type { CallOutcome, Done } from '../../guard/outcome.ts';
import { toolFeedback } from '../../guard/tool-feedback.ts';

/** Returns why a call has no result, in one line with its code. People's answers follow as JSON. */
export const whyNot = (outcome: Exclude<CallOutcome, Done>): string => {
  if (outcome.status === 'paused') {
    const asked = outcome.questions.map(({ message }) => message.explanation);
    return `APPROVAL_REQUIRED: it waits for ${[...asked, ...outcome.awaits].join('; ')}`;
  }
  const { code, explanation, answers } = toolFeedback(outcome);
  return `${code}: ${explanation}${answers === undefined ? '' : ` ${JSON.stringify(answers)}`}`;
};
