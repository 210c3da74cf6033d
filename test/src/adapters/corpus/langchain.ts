import { AIMessage, createAgent, HumanMessage, ToolMessage, type BaseMessage } from 'langchain';
import { charterMiddleware, guardTools, runGraph, taskCheckpointer } from 'agentcharter/adapters/langchain';
import { scripted, toolOf } from '../langchain/scripted.ts';
import { ofScenario, scriptOf, type Binding, type Read } from './binding.ts';
import type { Scenario } from './scenario.ts';

const url = 'data:image/png;base64,';

const messagesOf = ({ earlier }: Scenario): BaseMessage[] => [
  ...earlier.map(({ role, text, image }) => {
    if (role === 'assistant') return new AIMessage(text);
    const images = image === undefined ? [] : [{ type: 'image_url', image_url: { url: url + image } }];
    return new HumanMessage({ content: [{ type: 'text', text }, ...images] });
  }),
  new HumanMessage('Do it.'),
];

const readOf = (message: BaseMessage): readonly Read[] => {
  if (!ToolMessage.isInstance(message)) return [];
  const id = message.tool_call_id;
  if (message.status === 'error') return [{ id, error: message.text }];
  return [{ id, value: typeof message.content === 'string' ? JSON.parse(message.content) : message.content }];
};

const textsIn = (message: BaseMessage): readonly string[] => {
  if (ToolMessage.isInstance(message)) return [];
  if (typeof message.content === 'string') return [message.content];
  return message.content.map((block) =>
    block.type === 'text'
      ? String(block['text'])
      : String((block as { image_url?: { url: string } }).image_url?.url).replace(url, ''),
  );
};

export const langChain: Binding = {
  name: 'LangChain',
  open: (cases) => {
    const guarded = new Map(
      cases.map(({ scenario, specs }) => {
        const contracts = Object.fromEntries(specs.map(({ name, contract }) => [name, contract]));
        return [
          scenario,
          guardTools(
            specs.map((spec) => toolOf(spec)),
            contracts,
          ),
        ] as const;
      }),
    );
    return {
      tools: [...guarded.values()].flatMap(({ tools }) => tools),
      play: async (run, scenario) => {
        let shown: readonly BaseMessage[] = [];
        const sees = (given: unknown): void => {
          const messages = given as readonly BaseMessage[]; // or tools, which are none
          if (messages.some((message) => HumanMessage.isInstance(message))) shown = messages;
        };
        const agent = createAgent({
          model: scripted(scriptOf(scenario), sees),
          middleware: [charterMiddleware(ofScenario(guarded, scenario), run)],
          checkpointer: taskCheckpointer(run),
        });
        const stop = await runGraph(agent, run, { messages: messagesOf(scenario) });
        return { ...stop, reads: shown.flatMap(readOf), earlier: shown.flatMap(textsIn) };
      },
    };
  },
};
