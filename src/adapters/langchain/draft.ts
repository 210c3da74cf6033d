import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { payloadIn } from '../../guard/payload.ts';
import type { Conclusion, Draft, Paused, Run } from '../../guard/index.ts';
import type { Waiting } from './calls.ts';
import { settledOf } from './pause.ts';
import { answerFeedback } from '../../guard/tool-feedback.ts';

/** The structured response of `responseFormat`. */
export type Structured = Readonly<Record<string, unknown>> | undefined;

/** How the answer is read and written. */
export interface DraftOptions extends Waiting {
  /**
   * Reads a draft from the last message and its structured response. By default the latter, JSON, or `{ text
   * }`.
   */
  readonly draftOf?: (message: BaseMessage, structured: Structured) => Draft;
  /** Formats the delivered payload as text. By default its `text`, or JSON. */
  readonly say?: (payload: Readonly<Record<string, unknown>>) => string;
}

const written = (payload: Readonly<Record<string, unknown>>): string => {
  const { text, ...others } = payload;
  return typeof text === 'string' && Object.keys(others).length === 0 ? text : JSON.stringify(payload);
};

export const asDraft = ({ text }: BaseMessage, structured: Structured): Draft => ({
  payload: structured ?? payloadIn(text),
});

/** The message that replaces a draft, and the delivered payload if any. */
export interface Gated {
  readonly messages: readonly BaseMessage[];
  readonly conclusion: Exclude<Conclusion, Paused>;
}

const replacing = (message: BaseMessage, content: string): AIMessage =>
  new AIMessage({
    content,
    ...(AIMessage.isInstance(message) && message.id !== undefined ? { id: message.id } : {}),
  });

/** Concludes a run with the draft in a message. Interrupts the graph while it waits for people. */
export const concludeWith = async (
  run: Run,
  message: BaseMessage,
  structured: Structured,
  { draftOf = asDraft, say = written, waits = false }: DraftOptions,
  signal: AbortSignal | undefined,
): Promise<Gated> => {
  const draft = draftOf(message, structured);
  const patience = { waits, ...(signal === undefined ? {} : { signal }) };
  const conclusion = await settledOf(run, () => run.conclude(draft, patience));
  switch (conclusion.status) {
    case 'delivered':
      return { conclusion, messages: [replacing(message, say(conclusion.payload))] };
    case 'ended':
      return { conclusion, messages: [replacing(message, answerFeedback(conclusion))] };
    case 'refused':
    case 'repairing':
      return { conclusion, messages: [message, new HumanMessage(answerFeedback(conclusion))] };
  }
};
