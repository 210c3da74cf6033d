import * as z from 'zod';
import { digest } from '../../../base/canonical/digest.ts';
import type { CallContext, NeedsHuman } from '../../../base/ports/tool.ts';
import type { RemoteQuestion } from './verdict.ts';

/** The key under which our question stores the remote question, so that it survives a restart. */
const questionKey = 'agentcharter:a2a';

const StoredQuestion = z.object({ taskId: z.string(), [questionKey]: z.string() });

/**
 * Returns the digest of a question. A changed question has another digest, so an old answer does not apply.
 */
export const digestOf = ({ messageId, message, text, needsToken }: RemoteQuestion): string =>
  // stored questions have this digest, so its keys must not change
  digest({ messageId, said: message ?? text, needsToken }, 'remote question');

/** Returns a remote question as a question to a person. */
export const needOf = (agent: string, taskId: string, asked: RemoteQuestion): NeedsHuman => {
  const { text, message, needsToken } = asked;
  return {
    explanation: text === '' ? `${agent} asks.` : `${agent} asks: ${text}`, // name the author first
    payload: { agent, taskId, needsToken, message: message ?? { text }, [questionKey]: digestOf(asked) },
  };
};

/**
 * Returns the stored remote task and question; `null` if the message has none, so that the agent is asked
 * again.
 */
export const storedQuestionIn = (
  asked: CallContext['asked'],
): { readonly taskId: string; readonly question: string } | null => {
  const kept = StoredQuestion.safeParse(asked).data;
  return kept === undefined ? null : { taskId: kept.taskId, question: kept[questionKey] };
};
