import { tool, ToolLoopAgent, type ModelMessage, type ToolSet } from 'ai';
import { generateGuarded, guardTools } from 'agentcharter/adapters/ai-sdk';
import type { MockLanguageModelV4 } from 'ai/test';
import { scripted } from '../ai-sdk/model.ts';
import { ofScenario, scriptOf, type Binding, type Case, type Read } from './binding.ts';
import type { Scenario } from './scenario.ts';

type Prompt = Parameters<MockLanguageModelV4['doGenerate']>[0]['prompt'];
type ToolParts = Extract<Prompt[number], { readonly role: 'tool' }>['content'];

const toolSet = ({ specs }: Case): ToolSet =>
  Object.fromEntries(
    specs.map(({ of: { toModelOutput }, name, description = '', input, execute }) => [
      name,
      tool({
        description,
        inputSchema: input,
        execute: async (given: Record<string, unknown>, { context }) => execute(given, context as never),
        ...(toModelOutput && { toModelOutput: ({ output }) => toModelOutput(output) as never }),
      }) as ToolSet[string],
    ]),
  );

const messagesOf = ({ earlier }: Scenario): ModelMessage[] => [
  ...earlier.map(({ role, text, image }): ModelMessage =>
    role === 'assistant'
      ? { role, content: text }
      : {
          role,
          content: [
            { type: 'text', text },
            ...(image === undefined
              ? []
              : [{ type: 'file' as const, mediaType: 'image/png', data: Buffer.from(image, 'base64') }]),
          ],
        },
  ),
  { role: 'user', content: 'Do it.' },
];

const readOf = (part: ToolParts[number]): readonly Read[] => {
  if (part.type !== 'tool-result') return [];
  const { output, toolCallId: id } = part;
  if (output.type === 'text') return [{ id, text: output.value }];
  if (output.type === 'json' || output.type === 'content') return [{ id, value: output.value }];
  return [{ id, error: output.type === 'error-text' ? output.value : JSON.stringify(output) }];
};

const textsIn = (prompt: Prompt): readonly string[] =>
  prompt.flatMap((message) =>
    message.role === 'user' || message.role === 'assistant'
      ? message.content.flatMap((part) => {
          if (part.type === 'text') return [part.text];
          if (part.type !== 'file' || part.data.type !== 'data') return [];
          const { data } = part.data;
          return [typeof data === 'string' ? data : Buffer.from(data).toString('base64')];
        })
      : [],
  );

export const aiSdk: Binding = {
  name: 'AI SDK',
  open: (cases) => {
    const guarded = new Map(
      cases.map((one) => {
        const contracts = Object.fromEntries(one.specs.map(({ name, contract }) => [name, contract]));
        return [one.scenario, guardTools(toolSet(one), contracts)] as const;
      }),
    );
    return {
      tools: [...guarded.values()].flatMap(({ tools }) => tools),
      play: async (run, scenario) => {
        const prompts: Prompt[] = [];
        const model = scripted(scriptOf(scenario), undefined, (given) =>
          prompts.push((given as { prompt: Prompt }).prompt),
        );
        const agent = new ToolLoopAgent(ofScenario(guarded, scenario).bind(run, { model }));
        const stop = await generateGuarded({ run, agent, messages: messagesOf(scenario) });
        const prompt = prompts.at(-1) ?? [];
        return {
          ...stop,
          reads: prompt.flatMap((message) =>
            message.role === 'tool' ? message.content.flatMap(readOf) : [],
          ),
          earlier: textsIn(prompt),
        };
      },
    };
  },
};
