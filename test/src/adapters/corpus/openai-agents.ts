import { Agent, Runner, setTracingDisabled, type AgentInputItem } from '@openai/agents';
import { guardTools, runAgent, tool } from 'agentcharter/adapters/openai-agents';
import type { CallContext } from '../../../../src/base/ports/tool.ts';
import { Scripted } from '../openai-agents/scripted.ts';
import { ofScenario, scriptOf, type Binding, type Read } from './binding.ts';
import type { Scenario } from './scenario.ts';

setTracingDisabled(true);

/** What the binding tells a model of a call that failed. */
const failure = /^\{"error":\{"code":"\w+","explanation":/;
const url = 'data:image/png;base64,';

const inputOf = ({ earlier }: Scenario): AgentInputItem[] => [
  ...earlier.map(({ role, text, image }): AgentInputItem =>
    role === 'assistant'
      ? { role, status: 'completed', content: [{ type: 'output_text', text }] }
      : {
          role,
          content: [
            { type: 'input_text', text },
            ...(image === undefined ? [] : [{ type: 'input_image' as const, image: url + image }]),
          ],
        },
  ),
  { role: 'user', content: 'Do it.' },
];

const readOf = (item: AgentInputItem): readonly Read[] => {
  if (item.type !== 'function_call_result') return [];
  const { output, callId: id } = item;
  const text =
    typeof output === 'string' || Array.isArray(output) || output.type !== 'text' ? output : output.text;
  if (typeof text !== 'string') return [{ id, value: output }];
  return [failure.test(text) ? { id, error: text } : { id, text }];
};

const textsIn = (item: AgentInputItem): readonly string[] => {
  if (!('role' in item)) return [];
  if (typeof item.content === 'string') return [item.content];
  return item.content.flatMap((part) => {
    if (part.type === 'input_text' || part.type === 'output_text') return [part.text];
    return part.type === 'input_image' && typeof part.image === 'string' ? [part.image.replace(url, '')] : [];
  });
};

export const openAiAgents: Binding = {
  name: 'OpenAI Agents SDK',
  open: (cases) => {
    const guarded = new Map(
      cases.map(({ scenario, specs }) => {
        const contracts = Object.fromEntries(specs.map(({ name, contract }) => [name, contract]));
        const tools = specs.map(({ name, description = '', input, execute }) =>
          tool({
            name,
            description,
            parameters: input,
            execute: async (given) => execute(given, {} as CallContext),
          }),
        );
        return [scenario, guardTools(tools, contracts)] as const;
      }),
    );
    return {
      tools: [...guarded.values()].flatMap(({ tools }) => tools),
      play: async (run, scenario) => {
        const model = new Scripted(scriptOf(scenario));
        const agent = new Agent({ name: 'clerk', model, tools: ofScenario(guarded, scenario).bind(run) });
        const stop = await runAgent(agent, inputOf(scenario), {
          run,
          runner: new Runner({ tracingDisabled: true }),
          draftOf: (output) => ({ payload: JSON.parse(String(output)) as Record<string, unknown> }),
        });
        const { input } = model.requests.at(-1) ?? { input: [] };
        const items = typeof input === 'string' ? [] : input;
        return { ...stop, reads: items.flatMap(readOf), earlier: items.flatMap(textsIn) };
      },
    };
  },
};
