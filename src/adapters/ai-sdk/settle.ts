import type { ModelMessage, ToolSet } from 'ai';
import { payloadIn } from '../../guard/payload.ts';
import type { Draft } from '../../guard/run.ts';
import { answerFeedback } from '../../guard/tool-feedback.ts';
import type { GuardedGeneration, SavedStop } from './agent.ts';
import { answerIn, openCalls, resultsOf } from './messages.ts';

const draftOf = (text: string): Draft => ({ payload: payloadIn(text) });

const patienceOf = ({ waits = false, signal }: GuardedGeneration) => ({ waits, ...(signal && { signal }) });

type Settled = SavedStop | ModelMessage | null;

const called = async (
  given: GuardedGeneration,
  messages: readonly ModelMessage[],
  tools: ToolSet,
): Promise<Settled> => {
  const outcomes = await Promise.all(
    openCalls(messages).map(async (call) => {
      const { toolName, input, toolCallId: ref, isAsked } = call;
      const options = { ref, reusesRef: true, ...patienceOf(given) };
      const outcome = isAsked ? await given.run.call(toolName, input, options) : null;
      return { call, outcome };
    }),
  );
  for (const { outcome } of outcomes) if (outcome?.status === 'paused') return { ...outcome, messages };
  return resultsOf(given.run, outcomes, tools);
};

const concluded = async (
  given: GuardedGeneration,
  messages: readonly ModelMessage[],
  answer: string,
): Promise<Settled> => {
  const { run, draft = draftOf } = given;
  const verdict = await run.conclude(draft(answer), patienceOf(given));
  switch (verdict.status) {
    case 'delivered':
    case 'ended':
      return verdict;
    case 'paused':
      return { ...verdict, messages };
    case 'refused':
      if (verdict.code !== 'OUTPUT_INVALID') return { status: 'stopped', refusal: verdict, messages };
      return { role: 'user', content: answerFeedback(verdict) };
    case 'repairing':
      return { role: 'user', content: answerFeedback(verdict) };
  }
};

/**
 * Proposes the open calls or the answer in the messages. Returns a stop or a message for the model; `null` if
 * nothing is open.
 */
export const settle = async (
  given: GuardedGeneration,
  messages: readonly ModelMessage[],
  tools: ToolSet,
): Promise<Settled> => {
  if (openCalls(messages).length > 0) return called(given, messages, tools);
  const answer = answerIn(messages);
  return answer === null ? null : concluded(given, messages, answer);
};
