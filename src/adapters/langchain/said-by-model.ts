import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { isObject } from '../../boundary/is-object.ts';
import { digest } from '../../canonical/digest.ts';
import type { Run } from '../../guard/index.ts';
import { asDraft, type DraftOptions, type Structured } from './draft.ts';

/** How many marks of answers are kept of a run: those of its last turns. */
const most = 128;

/** What models said of late, by their run: a checkpoint can be written by others, and says what it likes. */
const said = new WeakMap<Run, Set<string>>();

const markAll = (run: Run, marks: readonly string[]): void => {
  const all = said.get(run) ?? new Set();
  said.set(run, all);
  for (const mark of marks) all.add(mark);
  for (const mark of all) if (all.size > most) all.delete(mark);
};

const marksOf = (message: BaseMessage): readonly string[] => [
  ...(message.id === undefined ? [] : [`id ${message.id}`]),
  `text ${digest(message.text)}`,
];

const structuredMark = (structured: Structured): string => `structured ${digest(structured ?? null)}`;
const withheldMark = ({ text }: BaseMessage, structured: Structured): string =>
  `withheld ${digest([text, structured ?? null])}`;

/** Remembers what a model answered, for `isAnswered`: a message, or its structured response. */
export const remember = (run: Run, answer: unknown): void => {
  if (AIMessage.isInstance(answer)) markAll(run, marksOf(answer));
  else if (isObject(answer) && isObject(answer['structuredResponse']))
    markAll(run, [structuredMark(answer['structuredResponse'])]);
};

const has = (run: Run, mark: string): boolean => said.get(run)?.has(mark) ?? false;

/** Whether a model gave this answer in this process; others may have changed its words since, by its id. */
export const isAnswered = (run: Run, message: BaseMessage, structured: Structured): boolean =>
  structured === undefined
    ? marksOf(message).some((mark) => has(run, mark))
    : has(run, structuredMark(structured));

/** Keeps what was taken out of the messages until it is delivered. */
export const withhold = (run: Run, message: BaseMessage, structured: Structured): void =>
  markAll(run, [withheldMark(message, structured)]);

/** Whether an answer was withheld in this process, or proposed in whichever. */
export const isKnown = async (
  run: Run,
  message: BaseMessage,
  structured: Structured,
  { draftOf = asDraft }: DraftOptions,
): Promise<boolean> =>
  has(run, withheldMark(message, structured)) || run.isProposed(draftOf(message, structured));
