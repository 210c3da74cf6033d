import type { InboxEntry } from '../../core/kernel/summary.ts';

type Asked = Pick<InboxEntry, 'question' | 'message'>;

const questionsIn = ({ question, message }: Asked): readonly string[] =>
  question.kind === 'information'
    ? (message.upThought?.questions ?? []).filter((asked) => asked.trim() !== '')
    : [];

/** Returns what a person is asked: the questions of an agent that lacks information, else the explanation. */
export const headlineOf = (asked: Asked): readonly string[] => {
  const questions = questionsIn(asked);
  return questions.length > 0 ? questions : [asked.message.explanation];
};

/** Returns why a person is asked: the explanation if it is not the headline, and the reasons of the question. */
export const causesOf = (asked: Asked): readonly string[] => [
  ...(questionsIn(asked).length > 0 ? [asked.message.explanation] : []),
  ...(asked.question.reasons ?? []),
];
