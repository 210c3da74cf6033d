import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { isObject } from '../../boundary/is-object.ts';
import { digest } from '../../canonical/digest.ts';
import type { Run } from '../../guard/index.ts';
import { asDraft, type DraftOptions, type Structured } from './draft.ts';
import { refusalOf } from './refusal.ts';

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

/** Everything of an answer that a draft may be read from, as it stands in a checkpoint. */
const digestOf = ({ content, additional_kwargs: given }: BaseMessage, structured: Structured): string =>
  digest(JSON.parse(JSON.stringify([content, given, structured ?? null])));

const saidMark = (message: BaseMessage, structured: Structured): string =>
  `said ${digestOf(message, structured)}`;
const withheldMark = (message: BaseMessage, structured: Structured): string =>
  `withheld ${digestOf(message, structured)}`;
const idMarks = ({ id }: BaseMessage): readonly string[] => (id === undefined ? [] : [`id ${id}`]);

const rememberMessage = (run: Run, message: unknown, structured: Structured): void => {
  if (AIMessage.isInstance(message)) markAll(run, [saidMark(message, structured), ...idMarks(message)]);
};

/** Keeps what a model answered with, for `isAnswered`: a message, or what was structured of one and the messages with it. */
export const remember = (run: Run, answer: unknown): void => {
  rememberMessage(run, answer, undefined);
  if (!isObject(answer)) return;
  const { structuredResponse: structured, messages } = answer;
  if (isObject(structured) && Array.isArray(messages)) rememberMessage(run, messages.at(-1), structured);
};

const has = (run: Run, mark: string): boolean => said.get(run)?.has(mark) ?? false;

/**
 * Whether a model gave this answer, word for word, in this process.
 *
 * Throws `definition_invalid` for one that has the id of a model's message and other words: whoever writes a checkpoint can
 * give it that id.
 */
export const isAnswered = (run: Run, message: BaseMessage, structured: Structured): boolean => {
  if (has(run, saidMark(message, structured))) return true;
  if (idMarks(message).some((mark) => has(run, mark)))
    throw refusalOf(
      'answer',
      '/messages',
      'is not what its model said, but has the id of that message: expected an unchanged message; change an answer in ' +
        'wrapModelCall of middleware after charterMiddleware, or in draftOf',
    );
  return false;
};

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
