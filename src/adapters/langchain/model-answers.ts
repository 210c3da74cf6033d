import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { isObject } from '../../base/boundary/is-object.ts';
import { digest } from '../../base/canonical/digest.ts';
import { wellFormed } from '../../base/canonical/well-formed.ts';
import type { Run } from '../../guard/index.ts';
import { asDraft, type DraftOptions, type Structured } from './draft.ts';
import { refusalOf } from './refusal.ts';

/** The maximum of answers that are kept for a run; the oldest are dropped. */
const maxAnswers = 128;

/** The maximum of runs; the least recently used are dropped. */
const maxRuns = 1_000;

/** Returns the digest of an answer: all parts that a draft may be read from. */
const digestOf = ({ content, additional_kwargs: given }: BaseMessage, structured: Structured): string =>
  digest(wellFormed([content, given, structured ?? null]));

const answerMark = (message: BaseMessage, structured: Structured): string =>
  `answer ${digestOf(message, structured)}`;
const withheldMark = (message: BaseMessage, structured: Structured): string =>
  `withheld ${digestOf(message, structured)}`;
const idMarks = ({ id }: BaseMessage): readonly string[] => (id === undefined ? [] : [`id ${id}`]);

/**
 * The model answers of this process, which a checkpoint may imitate because others can write it.
 *
 * They are kept by task id: a resumed run is another object of the same task.
 */
export class ModelAnswers {
  readonly #marks = new Map<string, Set<string>>();

  /** Adds a model's answer: a message, or a structured response with its messages. */
  remember(run: Run, answer: unknown): void {
    this.#rememberMessage(run, answer, undefined);
    if (!isObject(answer)) return;
    const { structuredResponse: structured, messages } = answer;
    if (isObject(structured) && Array.isArray(messages))
      this.#rememberMessage(run, messages.at(-1), structured);
  }

  /**
   * Returns whether a model gave exactly this answer.
   *
   * Throws `definition_invalid` for a message with a known id and other content, which an edited checkpoint
   * can contain.
   */
  isAnswered(run: Run, message: BaseMessage, structured: Structured): boolean {
    if (this.#has(run, answerMark(message, structured))) return true;
    if (idMarks(message).some((mark) => this.#has(run, mark)))
      throw refusalOf(
        'answer',
        '/messages',
        'has the id of a model answer, but other content: expected an unchanged message; change an answer in ' +
          'wrapModelCall of middleware after charterMiddleware, or in draftOf',
      );
    return false;
  }

  /** Adds an answer that is withheld until delivery. */
  withhold(run: Run, message: BaseMessage, structured: Structured): void {
    this.#markAll(run, [withheldMark(message, structured)]);
  }

  /** Returns whether an answer was withheld in this process, or proposed in any process. */
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
      this.#markAll(run, [answerMark(message, structured), ...idMarks(message)]);
  }

  #has({ taskId }: Run, mark: string): boolean {
    return this.#marks.get(taskId)?.has(mark) ?? false;
  }

  #markAll({ taskId }: Run, marks: readonly string[]): void {
    const all = this.#marks.get(taskId) ?? new Set();
    this.#marks.delete(taskId);
    this.#marks.set(taskId, all); // keeps the order of use
    for (const mark of marks) all.add(mark);
    for (const mark of all) if (all.size > maxAnswers) all.delete(mark);
    for (const other of this.#marks.keys()) if (this.#marks.size > maxRuns) this.#marks.delete(other);
  }
}
