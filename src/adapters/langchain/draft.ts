import { AIMessage, HumanMessage, type BaseMessage } from '@langchain/core/messages';
import { payloadIn } from '../../guard/payload.ts';
import type { Conclusion, Draft, Paused, Run } from '../../guard/index.ts';
import type { Waiting } from './calls.ts';
import { settledOf } from './pause.ts';
import { answerFeedback } from '../../guard/tool-feedback.ts';

/** What `responseFormat` made of an answer. */
export type Structured = Readonly<Record<string, unknown>> | undefined;

/** What is concluded with, and what is said of it. */
export interface DraftOptions extends Waiting {
  /** Reads a draft from the model's last message, and from its structured response; that, or JSON, or `{ text }` where left out. */
  readonly draftOf?: (message: BaseMessage, structured: Structured) => Draft;
  /** What the delivered answer says; JSON where left out, or its `text`. */
  readonly say?: (payload: Readonly<Record<string, unknown>>) => string;
}

const written = (payload: Readonly<Record<string, unknown>>): string => {
  const { text, ...others } = payload;
  return typeof text === 'string' && Object.keys(others).length === 0 ? text : JSON.stringify(payload);
};

export const asDraft = ({ text }: BaseMessage, structured: Structured): Draft => ({
  payload: structured ?? payloadIn(text),
});

/** What stands in place of a draft, and what was delivered, if it was. */
export interface Gated {
  readonly messages: readonly BaseMessage[];
  readonly conclusion: Exclude<Conclusion, Paused>;
}

const replacing = (message: BaseMessage, content: string): AIMessage =>
  new AIMessage({
    content,
    ...(AIMessage.isInstance(message) && message.id !== undefined ? { id: message.id } : {}),
  });

/** Concludes a run with the draft in a message; the graph is interrupted while people are waited for. */
export const gated = async (
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
