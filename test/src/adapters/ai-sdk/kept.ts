import type { ModelMessage } from 'ai';

type Content = Exclude<Extract<ModelMessage, { readonly role: 'assistant' }>['content'], string>;

const read = (kept: string): ModelMessage[] => JSON.parse(kept) as ModelMessage[];

const assistantParts = (messages: readonly ModelMessage[]): Content =>
  messages.flatMap((message) =>
    message.role === 'assistant' && typeof message.content !== 'string' ? message.content : [],
  );

/** Messages in which every request for approval is approved, as a page would answer it. */
export const approved = (kept: string): string => {
  const messages = read(kept);
  const requests = assistantParts(messages).filter((part) => part.type === 'tool-approval-request');
  const content = requests
    .filter(({ isAutomatic }) => isAutomatic !== true)
    .map(({ approvalId }) => ({ type: 'tool-approval-response' as const, approvalId, approved: true }));
  return JSON.stringify([...messages, { role: 'tool', content }]);
};

/** Messages in which a call has other arguments. */
export const edited = (kept: string, call: string, input: object): string => {
  const messages = read(kept);
  for (const part of assistantParts(messages))
    if (part.type === 'tool-call' && part.toolCallId === call) part.input = input;
  return JSON.stringify(messages);
};
