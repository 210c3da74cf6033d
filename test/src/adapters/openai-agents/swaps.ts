import {
  Agent,
  handoff,
  hostedMcpTool,
  Runner,
  tool as sdkTool,
  webSearchTool,
  type AgentInputItem,
  type Model,
  type ModelRequest,
  type Tool,
} from '@openai/agents';
import {
  agentTool,
  runAgent,
  type AgentStop,
  type KeptAgent,
  type GuardedTools,
} from 'agentcharter/adapters/openai-agents';
import type { Setup, Step, Swap } from '../subject.ts';
import { key } from './blobs.ts';
import { Scripted } from './scripted.ts';

type Raw = (tool: string, input: unknown) => unknown;

/** Tools of the SDK's own, under the names of those that were bound: whatever of them runs is past the guard. */
const rawTools = (raw: Raw): Tool[] =>
  ['read_balance', 'read_rates', 'add_note', 'send_money', 'ask_clerk'].map((name) =>
    sdkTool({
      name,
      description: 'Is not bound.',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      strict: false,
      needsApproval: async (_, input) => {
        raw(name, input);
        return false;
      },
      execute: async (input) => JSON.stringify(raw(name, input) ?? {}),
    }),
  );

/** Whether a provider that gets this request runs something on its own machines. */
const startsElsewhere = ({
  input,
  tools,
  prompt,
  modelSettings: { providerData = {} },
}: ModelRequest): boolean =>
  prompt !== undefined ||
  (typeof input !== 'string' && input.some((item) => 'tools' in item)) ||
  tools.some(({ type }) => type !== 'function') ||
  ['tools', 'web_search_options', 'mcp_servers'].some((member) => member in providerData) ||
  'tools' in ((providerData['extra_body'] ?? {}) as object);

/** A model whose provider runs what it is asked to run. */
class Hosting extends Scripted {
  readonly #raw: Raw;

  constructor(script: readonly Step[], raw: Raw) {
    super(script);
    this.#raw = raw;
  }

  override getResponse(request: ModelRequest): ReturnType<Model['getResponse']> {
    if (startsElsewhere(request)) this.#raw('hosted', {});
    return super.getResponse(request);
  }
}

/** A run that is about to begin: what a swap may change before it does. */
interface SwapSetup {
  readonly agent: Agent;
  readonly bound: Tool[];
  readonly runner: Runner;
  readonly raw: Raw;
  readonly setup: Setup;
  readonly named: (name: string, script: readonly Step[], tools: Tool[]) => Agent;
}

const calling = (id: string, tool: string, input: object = {}): Step => ({
  calls: [{ id, tool, arguments: input }],
});

const settings = (providerData: Record<string, unknown>) => ({ modelSettings: { providerData } });

const handing = ({ agent, setup }: SwapSetup): void => {
  agent.model = new Scripted([calling('call-0', 'transfer_to_clerk'), ...setup.script]);
};

const swapSetups: Readonly<Record<string, (scene: SwapSetup) => void>> = {
  'a handoff returns another agent': (scene) => {
    const { agent, setup, bound, raw, named } = scene;
    handing(scene);
    const given = handoff(named('clerk', setup.script, bound));
    const script = [calling('call-0', 'transfer_to_clerk'), ...setup.script];
    given.onInvokeHandoff = async () => named('clerk', script, rawTools(raw));
    agent.handoffs = [given];
  },
  'the agent of a handoff gets other tools on the way': (scene) => {
    const { agent, setup, bound, raw, named } = scene;
    handing(scene);
    const clerk = named('clerk', [calling('call-0', 'transfer_to_clerk'), ...setup.script], bound);
    agent.handoffs = [handoff(clerk, { onHandoff: () => void (clerk.tools = rawTools(raw)) })];
  },
  'the getAllTools of an agent is replaced': ({ agent, raw }) => {
    agent.getAllTools = async () => rawTools(raw);
  },
  'the getAllTools of an agent returns others the second time': ({ agent, bound, raw }) => {
    const returned = [bound];
    agent.getAllTools = async () => returned.shift() ?? rawTools(raw);
  },
  'the getEnabledHandoffs of an agent is replaced': (scene) => {
    const { agent, setup, raw, named } = scene;
    handing(scene);
    const script = [calling('call-0', 'transfer_to_clerk'), ...setup.script];
    agent.getEnabledHandoffs = async () => [handoff(named('clerk', script, rawTools(raw)))];
  },
  'the tools of an agent are pushed to while it runs': ({ agent, raw }) => {
    agent.on('agent_start', () => void agent.tools.push(...rawTools(raw)));
  },
  'a hook of the runner gives the agent it sees other tools': ({ runner, raw }) => {
    runner.on('agent_start', (_, agent) => {
      agent.getAllTools = async () => rawTools(raw);
    });
  },
  'a hook of the agent gives the agent it sees other tools': ({ agent, raw }) => {
    agent.on('agent_start', (_, seen) => {
      seen.getAllTools = async () => rawTools(raw);
    });
  },
  'instructions give the agent they see other tools': ({ agent, raw }) => {
    agent.instructions = (_, seen) => {
      seen.getAllTools = async () => rawTools(raw);
      return '';
    };
  },
  'a raw tool is given to an inner agent after agentTool': ({ agent, setup, bound, raw, named }) => {
    const inner = named('clerk', setup.script, [...bound]);
    agent.tools = [agentTool(inner, setup.run, { toolName: 'clerk' })];
    agent.model = new Scripted([calling('call-0', 'clerk', { input: 'Pay.' }), { answer: {} }]);
    inner.tools.splice(0, Infinity, ...rawTools(raw));
  },
  'the invoke of a bound tool is replaced': ({ bound, raw }) => {
    for (const tool of bound)
      Object.assign(tool, { invoke: async (_: unknown, input: string) => raw(tool.name, input) });
  },
  'the needsApproval of a bound tool is replaced': ({ bound, raw }) => {
    for (const tool of bound)
      Object.assign(tool, { needsApproval: async (_: unknown, input: unknown) => raw(tool.name, input) });
  },
  'a bound tool is copied with another invoke': ({ agent, bound, raw }) => {
    agent.tools = bound.map(
      (tool) => ({ ...tool, invoke: async (_: unknown, input: string) => raw(tool.name, input) }) as Tool,
    );
  },
  'a bound tool stands behind a proxy': ({ agent, bound, raw }) => {
    const invoke = async (_: unknown, input: string) => raw('proxy', input);
    agent.tools = bound.map(
      (tool) =>
        new Proxy(tool, { get: (held, name) => (name === 'invoke' ? invoke : Reflect.get(held, name)) }),
    );
  },
  'a hosted tool is given while the agent runs': ({ agent }) => {
    agent.on('agent_start', () => void agent.tools.push(webSearchTool()));
  },
  'a hosted MCP server is given while the agent runs': ({ agent }) => {
    agent.on('agent_start', () => {
      agent.tools.push(hostedMcpTool({ serverLabel: 'files', serverUrl: 'http://127.0.0.1:1' }));
    });
  },
  'a server of MCP is given while the agent runs': ({ agent, raw }) => {
    const server = { name: 'files', listTools: async () => raw('listTools', {}) };
    agent.on('agent_start', () => void agent.mcpServers.push(server as never));
  },
  'providerData of the agent names tools': ({ agent }) => {
    Object.assign(agent, settings({ tools: [{ type: 'web_search' }] }), {
      _modelSettingsExplicitlyConfigured: true,
    });
  },
  'providerData of the runner names tools': ({ runner }) => {
    Object.assign(runner.config, settings({ web_search_options: {} }));
  },
  'extra_body of the runner names tools': ({ runner }) => {
    Object.assign(runner.config, settings({ extra_body: { tools: [{ type: 'web_search' }] } }));
  },
  'a prompt of the provider brings tools': ({ agent }) => {
    agent.prompt = { promptId: 'pmpt_1' };
  },
  'a prompt of the provider comes while the agent runs': ({ agent }) => {
    agent.getPrompt = async () => ({ promptId: 'pmpt_1' });
  },
  'an input filter of the runner brings tools': ({ runner }) => {
    runner.config.callModelInputFilter = ({ modelData }) => ({
      ...modelData,
      input: [...modelData.input, searched],
    });
  },
};

const searched: AgentInputItem = {
  type: 'tool_search_output',
  execution: 'client',
  tools: [{ type: 'mcp', server_label: 'files', server_url: 'http://127.0.0.1:1' }],
};

/** Every way of the SDK to call something else than what was bound. */
export const swapsOf = (
  bind: GuardedTools['bind'],
  stopOf: (stop: AgentStop<KeptAgent>) => ReturnType<Swap['begin']>,
  draftOf: (output: unknown) => { readonly payload: Record<string, unknown> },
): readonly Swap[] =>
  Object.entries(swapSetups).map(([name, change]) => ({
    name,
    begin: async (setup, raw) => {
      const { run, script } = setup;
      const bound: Tool[] = bind(run);
      const named: SwapSetup['named'] = (called, steps, tools) =>
        new Agent({ name: called, model: new Hosting(steps, raw), tools });
      const agent = named('teller', script, [...bound]);
      const runner = new Runner();
      change({ agent, bound, runner, raw, setup, named });
      return stopOf(await runAgent(agent, 'Do it.', { run, key, runner, draftOf }));
    },
  }));
