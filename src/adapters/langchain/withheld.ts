import { AIMessage, RemoveMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';

const calls = (message: BaseMessage): readonly { readonly id?: string; readonly name: string }[] =>
  AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];

/** Returns the concluding messages: the last one, and the call that produced a structured response. */
const concludingOf = (
  messages: readonly BaseMessage[],
  tools: ReadonlySet<string>,
): readonly BaseMessage[] => {
  const result = messages.at(-2);
  const at = messages.findLastIndex(
    (message) =>
      ToolMessage.isInstance(result) && calls(message).some(({ id }) => id === result.tool_call_id),
  );
  const called = messages[at];
  const isStructure = called !== undefined && calls(called).every(({ name }) => !tools.has(name));
  return messages.slice(isStructure ? at : -1);
};

/** Returns the draft, and the update that removes it from the messages; `null` if the model continues. */
export const withheldOf = (
  messages: readonly BaseMessage[],
  tools: ReadonlySet<string>,
  isStructured: boolean,
) => {
  const draft = messages.at(-1);
  if (draft === undefined || !AIMessage.isInstance(draft) || calls(draft).length > 0) return null;
  const removed = (isStructured ? concludingOf(messages, tools) : [draft]).flatMap(({ id }) =>
    id === undefined ? [] : [new RemoveMessage({ id })],
  );
  return { draft, removed };
};
