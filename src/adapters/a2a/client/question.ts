import * as z from 'zod';
import { digest } from '../../../canonical/digest.ts';
import type { CallContext, NeedsHuman } from '../../../ports/tool.ts';
import type { Asked } from './verdict.ts';

/** Under which our question's own message keeps which remote question it shows: no process has to outlive it. */
const questionKey = 'agentcharter:a2a';

const Kept = z.object({ taskId: z.string(), [questionKey]: z.string() });

/** Names what was asked, and how: what is asked otherwise, under whatever name, was not answered. */
export const digestOf = ({ messageId, message, text, needsToken }: Asked): string =>
  digest({ messageId, said: message ?? text, needsToken }, 'remote question');

/** A remote question as a person meets it. */
export const needOf = (agent: string, taskId: string, asked: Asked): NeedsHuman => {
  const { text, message, needsToken } = asked;
  return {
    explanation: text === '' ? `${agent} asks.` : `${agent} asks: ${text}`, // whose words they are comes first
    payload: { agent, taskId, needsToken, message: message ?? { text }, [questionKey]: digestOf(asked) },
  };
};

/** The remote task and question that were shown; `null` where the message that asked does not say, so that it is asked again. */
export const keptIn = (
  asked: CallContext['asked'],
): { readonly taskId: string; readonly question: string } | null => {
  const kept = Kept.safeParse(asked).data;
  return kept === undefined ? null : { taskId: kept.taskId, question: kept[questionKey] };
};
