import { ToolMessage } from '@langchain/core/messages';
import { isCommand } from '@langchain/langgraph';
import { notKeptKey } from '../../base/canonical/kept.ts';

const command = 'a Command of LangGraph, which is not carried out under a guard';

/**
 * Returns what a tool of LangChain returned, as its result: the content of a `ToolMessage`.
 *
 * Throws for a message with `status: 'error'`, and for a read that returned a `Command`. A write that returned one has
 * happened, without a result that can be kept.
 */
export const toolResult = (returned: unknown, isRead: boolean): unknown => {
  if (isCommand(returned)) {
    if (isRead) throw new Error(`it returned ${command}: return a value`);
    return { [notKeptKey]: command };
  }
  if (!ToolMessage.isInstance(returned)) return returned;
  if (returned.status === 'error') throw new Error(returned.text || 'it answered with an error');
  return returned.content;
};
