import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { isObject } from '../../base/boundary/is-object.ts';
import { frozenWords } from '../../base/canonical/well-formed.ts';
import { isCharterError } from '../../base/errors.ts';
import type { ToolMessageContent } from './tool-message.ts';

/** The key that replaces unreadable arguments, with the reason, because LangGraph throws on some of them. */
const mark = 'agentcharter_unreadable';

const whyUnreadable = (value: unknown): string | null => {
  try {
    frozenWords(value, 'arguments');
    return null;
  } catch (error) {
    return isCharterError(error, 'input_unreadable') ? error.message : null; // the run reports other issues
  }
};

/** Replaces the unreadable arguments of a model message, before the graph throws on them. */
export const makeReadable = (message: BaseMessage): void => {
  if (!AIMessage.isInstance(message)) return;
  const calls = (message.tool_calls ?? []).map((call) => {
    const why = whyUnreadable(call.args);
    return why === null ? call : { ...call, args: { [mark]: why } };
  });
  if (!calls.some((call, at) => call !== message.tool_calls?.[at])) return;
  // providers repeat calls in `content`, and LangChain copies messages from `lc_kwargs`
  const readable = { content: message.text, tool_calls: calls };
  Object.assign(message, readable);
  Object.assign(message.lc_kwargs, readable);
};

/** Returns the tool message for a call with unreadable arguments; `null` for any other call. */
export const unreadableContent = (args: unknown): ToolMessageContent | null => {
  const why: unknown = isObject(args) ? args[mark] : undefined;
  if (why === undefined) return null;
  return { content: JSON.stringify({ code: 'OUTPUT_INVALID', explanation: why }), status: 'error' };
};
