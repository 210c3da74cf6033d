import { AIMessage, createAgent, HumanMessage, ToolMessage, type BaseMessage } from 'langchain';
import { charterMiddleware, guardTools, runGraph, taskCheckpointer } from 'agentcharter/adapters/langchain';
import { scripted, toolOf } from '../langchain/scripted.ts';
import { ofEntry, scriptOf, type Binding, type Read } from './binding.ts';
import type { Entry } from './entry.ts';

const url = 'data:image/png;base64,';

const messagesOf = ({ earlier = [] }: Entry): BaseMessage[] => [
  ...earlier.map(({ role, text, image }) => {
    if (role === 'assistant') return new AIMessage(text);
    const images = image === undefined ? [] : [{ type: 'image_url', image_url: { url: url + image } }];
    return new HumanMessage({ content: [{ type: 'text', text }, ...images] });
  }),
  new HumanMessage('Do it.'),
];

const readOf = (message: BaseMessage): readonly Read[] => {
  if (!ToolMessage.isInstance(message)) return [];
  if (message.status === 'error') return [{ error: message.text }];
  return [{ value: typeof message.content === 'string' ? JSON.parse(message.content) : message.content }];
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
      cases.map(({ entry, specs }) => {
        const contracts = Object.fromEntries(specs.map(({ name, contract }) => [name, contract]));
        return [
          entry,
          guardTools(
            specs.map((spec) => toolOf(spec)),
            contracts,
          ),
        ] as const;
      }),
    );
    return {
      tools: [...guarded.values()].flatMap(({ tools }) => tools),
      play: async (run, entry) => {
        let shown: readonly BaseMessage[] = [];
        const sees = (given: unknown): void => {
          const messages = given as readonly BaseMessage[]; // or tools, which are none
          if (messages.some((message) => HumanMessage.isInstance(message))) shown = messages;
        };
        const agent = createAgent({
          model: scripted(scriptOf(entry), sees),
          middleware: [charterMiddleware(ofEntry(guarded, entry), run)],
          checkpointer: taskCheckpointer(run),
        });
        const stop = await runGraph(agent, run, { messages: messagesOf(entry) });
        return { ...stop, reads: shown.flatMap(readOf), earlier: shown.flatMap(textsIn) };
      },
    };
  },
};
