import type { StructuredTool } from '@langchain/core/tools';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { AIMessage, fakeModel, tool } from 'langchain';
import type { Setup, Step, ToolSpec } from '../subject.ts';

export const messageOf = (step: Step): AIMessage =>
  'answer' in step
    ? new AIMessage(JSON.stringify(step.answer))
    : new AIMessage({
        content: '',
        tool_calls: step.calls.map(({ id, tool: name, arguments: args }) => ({
          id,
          name,
          args: { ...args },
        })),
      });

/** The package's own fake model, which says the step that comes after those that stand in its messages. */
export const scripted = (script: readonly Step[], sees?: Setup['sees']) => {
  const model = fakeModel();
  const bind = model.bindTools.bind(model);
  model.bindTools = (tools) => {
    sees?.(tools.map((one) => convertToOpenAITool(one as StructuredTool))); // as a provider is sent them
    return bind(tools);
  };
  for (let turn = 0; turn < 32; turn += 1)
    model.respond((messages) => {
      sees?.(messages);
      const step = script[messages.filter((message) => AIMessage.isInstance(message)).length];
      return step === undefined ? new Error('the script is over') : messageOf(step);
    });
  return model;
};

/** A tool as the framework's documentation has it. */
export const toolOf = (
  { name, description = '', input, execute }: ToolSpec,
  signal = new AbortController().signal,
) =>
  tool(
    async (given: Record<string, unknown>) =>
      execute(given, { signal } as Parameters<ToolSpec['execute']>[1]),
    {
      name,
      description,
      schema: input as never, // the specifications' schemas are zod's, which is what it takes
    },
  );
