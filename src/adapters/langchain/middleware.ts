import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { createMiddleware } from 'langchain';
import * as z from 'zod';
import { isObject } from '../../base/boundary/is-object.ts';
import { callThrough } from './calls.ts';
import { checkState } from './checkpoint.ts';
import { concludeWith, type DraftOptions } from './draft.ts';
import { checkMessage } from './provider-results.ts';
import { makeReadable } from './readable.ts';
import { ModelAnswers } from './model-answers.ts';
import { overIn, answerFeedback } from '../../guard/tool-feedback.ts';
import { refusalOf } from './refusal.ts';
import { runOf, type RunSource } from './source.ts';
import { checkTools, type GuardedTools } from './tools.ts';
import { withheldOf } from './withheld.ts';

/** The withheld answer, private to the agent until delivery. */
const stateSchema = z.object({
  /** The task id of the run whose model call was last. */
  _run: z.string().nullish(),
  _withheld: z.custom<BaseMessage>().nullish(),
  _structured: z.custom<Record<string, unknown>>(isObject).nullish(),
});

/** Clears the structured response, which would be visible with an interrupt. */
const unstructured: Readonly<Record<string, unknown>> = { structuredResponse: undefined };

/** Throws `definition_invalid` for a tool of the agent with the name of one that the middleware brings. */
const checkOwn = (
  given: readonly { readonly name: string }[],
  own: readonly { readonly name: string }[],
): void => {
  const twice = given.find((tool) => !own.includes(tool) && own.some(({ name }) => name === tool.name));
  if (twice === undefined) return;
  const message = `expected no tool ${JSON.stringify(twice.name)}: leave guarded tools out of \`tools\` of createAgent, the middleware provides them`;
  throw refusalOf('charterMiddleware', '', message);
};

/**
 * Creates middleware that guards an agent of `createAgent`. It must be the first. It provides the tools,
 * proposes every call, and withholds the answer until delivery.
 *
 * Throws `definition_invalid` at a model call with provider-executed tools, or if the agent has a guarded tool too.
 */
export const charterMiddleware = (guarded: GuardedTools, source: RunSource, options: DraftOptions = {}) => {
  const tools = guarded.bind(source, options);
  const names = new Set(tools.map(({ name }) => name));
  const answers = new ModelAnswers();
  return createMiddleware({
    name: 'AgentCharter',
    stateSchema,
    tools,
    wrapModelCall: async (request, handler) => {
      checkTools(request.tools);
      checkOwn(request.tools, tools);
      const response = await handler(request);
      if (AIMessage.isInstance(response)) {
        checkMessage(response);
        makeReadable(response);
      }
      answers.remember(await runOf(source, request.runtime.configurable), response);
      return response;
    },
    wrapToolCall: async ({ toolCall, state, runtime }) => {
      const run = await runOf(source, runtime.configurable);
      checkState(state, run);
      const response = await callThrough(run, toolCall, options, runtime.signal);
      return new ToolMessage({ ...response, name: toolCall.name, tool_call_id: toolCall.id ?? '' });
    },
    beforeModel: {
      canJumpTo: ['end'],
      hook: async (_, runtime) => {
        const run = await runOf(source, runtime.configurable);
        const over = overIn(await run.progress());
        if (over?.status !== 'ended') return { _run: run.taskId };
        return { messages: [new AIMessage(answerFeedback(over))], jumpTo: 'end' };
      },
    },
    afterModel: {
      canJumpTo: ['end', 'model'],
      hook: async ({ messages, structuredResponse }, runtime) => {
        const withheld = withheldOf(messages, names, structuredResponse !== undefined);
        if (withheld === null) return undefined;
        const { draft, removed } = withheld;
        const run = await runOf(source, runtime.configurable);
        if (!answers.isAnswered(run, draft, structuredResponse))
          return { ...unstructured, messages: removed, jumpTo: 'model' };
        answers.withhold(run, draft, structuredResponse);
        return {
          ...unstructured,
          _withheld: draft,
          _structured: structuredResponse ?? null,
          messages: removed,
          jumpTo: 'end',
        };
      },
    },
    afterAgent: {
      canJumpTo: ['model'],
      hook: async ({ messages, _withheld, _structured, _run }, runtime) => {
        const message = _withheld ?? messages.at(-1);
        if (message === undefined) return undefined;
        const run = await runOf(source, runtime.configurable);
        checkState({ _run }, run);
        const structured = _structured ?? undefined;
        if (!(await answers.isKnown(run, message, structured, options)))
          return _withheld ? { _withheld: null, _structured: null, jumpTo: 'model' } : undefined;
        const { conclusion, messages: response } = await concludeWith(
          run,
          message,
          structured,
          options,
          runtime.signal,
        );
        const isAgain = conclusion.status === 'refused' || conclusion.status === 'repairing';
        return {
          messages: [...response],
          _withheld: null,
          _structured: null,
          ...(isAgain ? { jumpTo: 'model' as const } : {}),
          ...(conclusion.status === 'delivered' && structured !== undefined
            ? { structuredResponse: conclusion.payload }
            : {}),
        };
      },
    },
  });
};
