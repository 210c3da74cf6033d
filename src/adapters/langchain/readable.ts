import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { isObject } from '../../boundary/is-object.ts';
import { frozenCopy } from '../../canonical/freeze.ts';
import { isCharterError } from '../../errors.ts';
import type { ToolMessageContent } from './tool-message.ts';

/** Stands in the place of arguments that cannot be read, with why: LangGraph itself breaks on some of them. */
const mark = 'agentcharter_unreadable';

const whyUnreadable = (value: unknown): string | null => {
  try {
    frozenCopy(value, 'arguments');
    return null;
  } catch (error) {
    return isCharterError(error, 'input_unreadable') ? error.message : null; // the run says what else is wrong
  }
};

/** Replaces what cannot be read of the calls in a message of a model: a graph would break on it before they are proposed. */
export const makeReadable = (message: BaseMessage): void => {
  if (!AIMessage.isInstance(message)) return;
  const calls = (message.tool_calls ?? []).map((call) => {
    const why = whyUnreadable(call.args);
    return why === null ? call : { ...call, args: { [mark]: why } };
  });
  if (!calls.some((call, at) => call !== message.tool_calls?.[at])) return;
  // providers repeat a call in the content of a message, and what is kept of it is made of `lc_kwargs`
  const readable = { content: message.text, tool_calls: calls };
  Object.assign(message, readable);
  Object.assign(message.lc_kwargs, readable);
};

/** What a model is told of a call whose arguments could not be read; `null` of any other. */
export const unreadSaid = (args: unknown): ToolMessageContent | null => {
  const why: unknown = isObject(args) ? args[mark] : undefined;
  if (why === undefined) return null;
  return { content: JSON.stringify({ code: 'OUTPUT_INVALID', explanation: why }), status: 'error' };
};
