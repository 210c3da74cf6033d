import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { isObject } from '../../boundary/is-object.ts';
import { digest } from '../../canonical/digest.ts';
import type { Run } from '../../guard/index.ts';
import { asDraft, type DraftOptions, type Structured } from './draft.ts';
import { refusalOf } from './refusal.ts';

/** How many marks of answers are kept of a run: those of its last turns. */
const most = 128;

/** How many runs are remembered: those that were answered last. */
const mostRuns = 1_000;

/** Everything of an answer that a draft may be read from, as it stands in a checkpoint. */
const digestOf = ({ content, additional_kwargs: given }: BaseMessage, structured: Structured): string =>
  digest(JSON.parse(JSON.stringify([content, given, structured ?? null])));

const saidMark = (message: BaseMessage, structured: Structured): string =>
  `said ${digestOf(message, structured)}`;
const withheldMark = (message: BaseMessage, structured: Structured): string =>
  `withheld ${digestOf(message, structured)}`;
const idMarks = ({ id }: BaseMessage): readonly string[] => (id === undefined ? [] : [`id ${id}`]);

/**
 * What models answered in this process, under one middleware. A checkpoint can be written by others, and says what it likes.
 *
 * It is kept by task: a run that was resumed is another object of the same task.
 */
export class ModelAnswers {
  readonly #marks = new Map<string, Set<string>>();

  /** Keeps what a model answered with: a message, or what was structured of one and the messages with it. */
  remember(run: Run, answer: unknown): void {
    this.#rememberMessage(run, answer, undefined);
    if (!isObject(answer)) return;
    const { structuredResponse: structured, messages } = answer;
    if (isObject(structured) && Array.isArray(messages))
      this.#rememberMessage(run, messages.at(-1), structured);
  }

  /**
   * Says whether a model gave this answer, word for word.
   *
   * Throws `definition_invalid` for one that has the id of a model's message and other words: whoever writes a checkpoint can
   * give it that id.
   */
  isAnswered(run: Run, message: BaseMessage, structured: Structured): boolean {
    if (this.#has(run, saidMark(message, structured))) return true;
    if (idMarks(message).some((mark) => this.#has(run, mark)))
      throw refusalOf(
        'answer',
        '/messages',
        'is not what its model said, but has the id of that message: expected an unchanged message; change an answer in ' +
          'wrapModelCall of middleware after charterMiddleware, or in draftOf',
      );
    return false;
  }

  /** Keeps what was taken out of the messages until it is delivered. */
  withhold(run: Run, message: BaseMessage, structured: Structured): void {
    this.#markAll(run, [withheldMark(message, structured)]);
  }

  /** Says whether an answer was withheld in this process, or proposed in any. */
  async isKnown(
    run: Run,
    message: BaseMessage,
    structured: Structured,
    { draftOf = asDraft }: DraftOptions,
  ): Promise<boolean> {
    return this.#has(run, withheldMark(message, structured)) || run.isProposed(draftOf(message, structured));
  }

  #rememberMessage(run: Run, message: unknown, structured: Structured): void {
    if (AIMessage.isInstance(message))
      this.#markAll(run, [saidMark(message, structured), ...idMarks(message)]);
  }

  #has({ taskId }: Run, mark: string): boolean {
    return this.#marks.get(taskId)?.has(mark) ?? false;
  }

  #markAll({ taskId }: Run, marks: readonly string[]): void {
    const all = this.#marks.get(taskId) ?? new Set();
    this.#marks.delete(taskId);
    this.#marks.set(taskId, all); // the one that was answered last comes last
    for (const mark of marks) all.add(mark);
    for (const mark of all) if (all.size > most) all.delete(mark);
    for (const other of this.#marks.keys()) if (this.#marks.size > mostRuns) this.#marks.delete(other);
  }
}
