import { modelMessageSchema, type ModelMessage, type ToolSet } from 'ai';
import * as z from 'zod';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import type { CallOutcome } from '../../guard/outcome.ts';
import type { Run } from '../../guard/run.ts';
import { shownResult } from '../../guard/tool-feedback.ts';
import type { SdkCall } from './calls.ts';
import { returnedBy } from './returned.ts';
import { whyNot } from './words.ts';

type ToolPart = Extract<ModelMessage, { readonly role: 'tool' }>['content'][number];
type Output = Extract<ToolPart, { readonly type: 'tool-result' }>['output'];
type Json = Extract<Output, { readonly type: 'json' }>['value'];

/**
 * A call without a result. A call that the SDK did not ask about was not made, because its step was aborted.
 */
interface OpenCall extends SdkCall {
  readonly isAsked: boolean;
}

/** Returns the calls without a result. A result belongs to a preceding call, because models reuse ids. */
export const openCalls = (messages: readonly ModelMessage[]): readonly OpenCall[] => {
  let open: readonly OpenCall[] = [];
  for (const { role, content } of messages)
    for (const part of role === 'system' || typeof content === 'string' ? [] : content)
      if (part.type === 'tool-call') open = [...open, { ...part, isAsked: false }];
      else if (part.type === 'tool-approval-request')
        open = open.map((call) => (call.toolCallId === part.toolCallId ? { ...call, isAsked: true } : call));
      else if (part.type === 'tool-result')
        open = open.filter(({ toolCallId }) => toolCallId !== part.toolCallId);
  return open;
};

const isOver = 'expected the last message to be of the user; pass `kept` to continue a stopped agent';

const First = z.array(modelMessageSchema).superRefine((messages, context) => {
  const refuse = (at: number, message: string): void =>
    context.addIssue({ code: 'custom', path: [at], message });
  if (messages.at(-1)?.role !== 'user') refuse(Math.max(messages.length - 1, 0), isOver);
  const open = openCalls(messages).map(({ toolName }) => toolName);
  if (open.length > 0)
    refuse(messages.length - 1, `hold calls without a result (${open.join(', ')}): ${isOver}`);
});

/**
 * Reads the first messages: the last one is of the user, and no call is open.
 *
 * Otherwise they would end with model output that this run did not produce. Throws `document_invalid`.
 */
export const firstMessages = (messages: unknown): readonly ModelMessage[] =>
  parseDocument('messages', First, messages);

/** A call, and its outcome if it was made. */
interface Settled {
  readonly call: SdkCall;
  readonly outcome: CallOutcome | null;
}

const outputOf = async (run: Run, { call, outcome }: Settled, tools: ToolSet): Promise<Output> => {
  if (outcome === null) return { type: 'error-text', value: 'The step was cut off: the call was not made.' };
  if (outcome.status !== 'done') return { type: 'execution-denied', reason: whyNot(outcome) };
  const { toolCallId, toolName, input } = call;
  const tool = Object.hasOwn(tools, toolName) ? tools[toolName] : undefined;
  if (tool?.toModelOutput === undefined) return { type: 'json', value: shownResult(outcome) as Json }; // evidence payloads are JSON
  const output = await returnedBy(run, outcome);
  return tool.toModelOutput({ toolCallId, input: input as never, output });
};

/** Returns the outcomes of open calls, as a message. */
export const resultsOf = async (
  run: Run,
  outcomes: readonly Settled[],
  tools: ToolSet,
): Promise<ModelMessage> => ({
  role: 'tool',
  content: await Promise.all(
    outcomes.map(async (settled) => ({
      type: 'tool-result' as const,
      toolCallId: settled.call.toolCallId,
      toolName: settled.call.toolName,
      output: await outputOf(run, settled, tools),
    })),
  ),
});

/** The answer of a model that ended without a word: the SDK has no message for it. */
export const emptyAnswer: ModelMessage = { role: 'assistant', content: [] };

/** Returns messages for a model: providers refuse an empty one. */
export const withoutEmpty = (messages: readonly ModelMessage[]): readonly ModelMessage[] =>
  messages.filter(({ role, content }) => role !== 'assistant' || content.length > 0);

/** Returns the agent's final text; `null` if the last message is not a final answer. */
export const answerIn = (messages: readonly ModelMessage[]): string | null => {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return null;
  if (typeof last.content === 'string') return last.content;
  return last.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
};

/** Returns whether a generation ended without calls and without an answer. */
export const isUnanswered = (messages: readonly ModelMessage[]): boolean =>
  openCalls(messages).length === 0 && answerIn(messages) === null;
