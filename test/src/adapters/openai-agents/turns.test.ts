import {
  Agent,
  handoff,
  Runner,
  tool as sdkTool,
  Usage,
  type Model,
  type ModelProvider,
  type ModelRequest,
  type ModelResponse,
} from '@openai/agents';
import { isCharterError } from 'agentcharter';
import { agentTool, resumeAgent, runAgent, type SealedRunOptions } from 'agentcharter/adapters/openai-agents';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Step } from '../subject.ts';
import { Scripted } from './scripted.ts';
import { agentWith, answer, delivered, keptBy, openStage, pay, read, respond, type Stage } from './stage.ts';

const staged = async (): Promise<Stage> => {
  const stage = await openStage();
  onTestFinished(() => stage.guard.close());
  return stage;
};

const issues = async (work: Promise<unknown>): Promise<readonly string[]> => {
  try {
    await work;
  } catch (error) {
    if (isCharterError(error, 'definition_invalid')) return error.details.issues.map(({ path }) => path);
    throw error;
  }
  return [];
};

const finalOutput = { type: 'output_text', text: '{"said":"it is done"}' } as const;

const message = (content: object) =>
  ({ type: 'message', role: 'assistant', status: 'completed', content: [content] }) as never; // as a provider sends it

/** A model whose one response holds what its provider did, besides an answer. */
class Elsewhere extends Scripted {
  readonly #output: ModelResponse['output'];

  constructor(...output: readonly object[]) {
    super([]);
    this.#output = output as ModelResponse['output'];
  }

  override async getResponse(): Promise<ModelResponse> {
    return { output: this.#output, usage: new Usage() };
  }
}

const hosted = [
  ['a web search', { type: 'hosted_tool_call', id: 'ws', name: 'web_search_call', status: 'completed' }],
  [
    'a call of hosted MCP',
    { type: 'hosted_tool_call', id: 'm', name: 'mcp_call', providerData: { name: 'pay' } },
  ],
  ['a search for tools', { type: 'tool_search_call', id: 'ts', arguments: {} }],
  ['a program', { type: 'program', callId: 'p', code: '', fingerprint: '' }],
  ['a shell', { type: 'shell_call', callId: 's', action: { commands: ['ls'] } }],
  ['a computer', { type: 'computer_call', callId: 'c', action: { type: 'screenshot' } }],
  ['a patch', { type: 'apply_patch_call', callId: 'a', status: 'completed', operation: {} }],
  ['an unknown item', { type: 'unknown', providerData: { type: 'new_call' } }],
] as const;

describe('A response with a hosted result', () => {
  it.each(hosted)('of %s is refused, and its answer is not delivered', async (_, item) => {
    for (const shows of [false, true]) {
      const stage = await staged();
      const agent = new Agent({ name: 'teller', model: new Elsewhere(item, message(finalOutput)) });
      expect(await issues(runAgent(agent, 'Do it.', { ...stage.options, shows }))).toEqual(['/output/0']);
      expect((await stage.run.progress()).outcome).not.toBe('success');
    }
  });

  it('of a search, shown by a citation, is refused', async () => {
    const stage = await staged();
    const cited = {
      ...finalOutput,
      providerData: { annotations: [{ type: 'url_citation', url: 'https://a.example' }] },
    };
    const agent = new Agent({ name: 'teller', model: new Elsewhere(message(cited)) });
    expect(await issues(runAgent(agent, 'Do it.', stage.options))).toEqual(['/output/0']);
  });
});

const settings = (providerData: Record<string, unknown>) => ({ modelSettings: { providerData } });

/** A provider whose models are known by name, as the SDK's own is. */
const providerOf = (models: Readonly<Record<string, Model>>): ModelProvider => ({
  getModel: (name = '') => models[name] ?? new Scripted([]),
});

const clerkCall: Step = { calls: [{ id: '1', tool: 'clerk', arguments: { input: 'Pay.' } }] };

describe('A model request', () => {
  it.each([
    ['tools', ['/modelSettings/providerData/tools']],
    ['mcp_servers', ['/modelSettings/providerData/mcp_servers']],
    ['previous_response_id', ['/modelSettings/providerData/previous_response_id']],
    ['plugins', ['/modelSettings/providerData/plugins']],
    ['top_k', []],
  ])('with %s in providerData is sent only if it starts nothing', async (member, expected) => {
    const stage = await staged();
    const model = new Scripted([answer]);
    const agent = new Agent({ name: 'teller', model, ...settings({ [member]: 1 }) });
    expect(await issues(runAgent(agent, 'Do it.', stage.options))).toEqual(expected);
    expect(model.requests).toHaveLength(expected.length === 0 ? 1 : 0);
  });

  it('is sent with members that the host names in providerKeys', async () => {
    const stage = await staged();
    const agent = new Agent({ name: 'teller', model: new Scripted([answer]), ...settings({ thinking: {} }) });
    const options = { ...stage.options, providerKeys: ['thinking'] };
    expect(await runAgent(agent, 'Do it.', options)).toEqual(delivered);
  });

  it('with a tool choice that is not offered is refused', async () => {
    const stage = await staged();
    const agent = stage.agent([answer]);
    const chosen = agent.clone({ modelSettings: { toolChoice: 'web_search' } });
    expect(await issues(runAgent(chosen, 'Do it.', stage.options))).toEqual(['/modelSettings/toolChoice']);
    const bound = agent.clone({ modelSettings: { toolChoice: 'read' } });
    expect(await runAgent(bound, 'Do it.', stage.options)).toEqual(delivered);
  });

  it.each([
    ['an object', (model: Model) => [model, {}] as const],
    ['a name', (model: Model) => ['inner', { inner: model }] as const],
  ])('of an inner agent is checked, whose model is %s', async (_, modelOf) => {
    const stage = await staged();
    const inner = new Scripted([answer]);
    const [model, models] = modelOf(inner);
    const clerk = new Agent({ name: 'clerk', model, tools: stage.bind(stage.run) });
    const teller = stage.agent([clerkCall, answer], [agentTool(clerk, stage.run, { toolName: 'clerk' })]);
    Object.assign(clerk, { _modelSettingsExplicitlyConfigured: true }, settings({ tools: [] }));
    const runner = new Runner({ modelProvider: providerOf(models) });
    const run = runAgent(teller, 'Do it.', { ...stage.options, runner });
    expect(await issues(run)).toEqual(['/modelSettings/providerData/tools']);
    expect(inner.requests).toEqual([]);
  });

  it('to the runner’s own model is checked', async () => {
    const stage = await staged();
    const model = new Elsewhere({ type: 'hosted_tool_call', name: 'web_search_call' });
    const agent = new Agent({ name: 'teller' });
    const runner = new Runner({ model });
    expect(await issues(runAgent(agent, 'Do it.', { ...stage.options, runner }))).toEqual(['/output/0']);
  });
});

describe('An agent that the host changes while it waits', () => {
  const raw = sdkTool({
    name: 'pay',
    description: 'Pays.',
    parameters: z.object({ to: z.string() }),
    execute: () => 'paid',
  });

  it('is refused when it resumes with an unbound tool', async () => {
    const stage = await staged();
    const kept = keptBy(await runAgent(stage.agent([pay('1'), answer]), 'Do it.', stage.options));
    await respond(stage);
    const changed = stage.agent([pay('1'), answer], [raw]);
    expect(await issues(resumeAgent(changed, kept, stage.options))).toEqual(['/teller/tools/pay']);
    const later = stage.agent([pay('1'), answer]);
    later.getAllTools = async () => [raw];
    expect(await issues(resumeAgent(later, kept, stage.options))).toEqual(['/teller/tools/pay']);
    expect(await resumeAgent(stage.agent([pay('1'), answer]), kept, stage.options)).toEqual(delivered);
    expect(stage.done).toEqual(['pay alice']);
  });

  it('may get further tools of its run, and hand off to new agents', async () => {
    const stage = await staged();
    const transfer: Step = { calls: [{ id: '0', tool: 'transfer_to_clerk', arguments: {} }] };
    const clerk = agentWith([transfer, read('1'), answer], [], 'clerk');
    const given = handoff(agentWith([], [], 'clerk'));
    given.onInvokeHandoff = async () => clerk;
    const teller = stage.agent([transfer]);
    teller.handoffs = [given];
    clerk.on('agent_start', () => {
      clerk.tools = stage.bind(stage.run);
    });
    expect(await runAgent(teller, 'Do it.', stage.options)).toEqual(delivered);
    expect(stage.done).toEqual(['read all']);
  });
});

describe('The agents that a host sees', () => {
  it('are its own, in instructions and in hooks of the agent and the runner', async () => {
    const stage = await staged();
    const agent = stage.agent([read('1'), answer]);
    const runner = new Runner();
    const seen: unknown[] = [];
    agent.instructions = (_, own) => {
      seen.push(own);
      return '';
    };
    agent.on('agent_start', (_, own) => void seen.push(own));
    runner.on('agent_start', (_, own) => void seen.push(own));
    runner.on('agent_tool_start', (_, own) => void seen.push(own));
    const options: SealedRunOptions = { ...stage.options, runner };
    expect(await runAgent(agent, 'Do it.', options)).toEqual(delivered);
    expect(seen.length).toBeGreaterThan(4);
    expect(seen.filter((own) => own !== agent)).toEqual([]);
  });

  it('are safe from changes through the SDK’s callbacks', async () => {
    const stage = await staged();
    const agent = stage.agent([answer]);
    const seen: Agent[] = [];
    const options = {
      ...stage.options,
      runner: new Runner({
        inputGuardrails: [
          {
            name: 'look',
            execute: async ({ agent: running }) => {
              seen.push(running as Agent);
              return { tripwireTriggered: false, outputInfo: null };
            },
          },
        ],
      }),
    };
    await runAgent(agent, 'Do it.', options);
    const [running] = seen;
    expect(() => Object.assign(running ?? {}, { getAllTools: async () => [] })).toThrow(TypeError);
    expect(() => running?.tools.push(running.tools[0] as never)).toThrow(TypeError);
  });
});

describe('A sent model request', () => {
  it('holds only the tools of its run, and is the same with every runner', async () => {
    const [one, other] = [await staged(), await staged()];
    const requests: ModelRequest[] = [];
    for (const stage of [one, other]) {
      const inner = agentWith([answer], stage.bind(stage.run), 'clerk');
      const model = new Scripted([clerkCall, answer]);
      const tools = [...stage.bind(stage.run), agentTool(inner, stage.run, { toolName: 'clerk' })];
      const teller = new Agent({ name: 'teller', model, tools });
      expect(await runAgent(teller, 'Do it.', stage.options)).toEqual(delivered);
      requests.push(...model.requests);
    }
    expect(requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual(
      requests.map(() => ['read', 'pay', 'clerk']),
    );
  });
});

describe('Deeply nested arguments', () => {
  it.each([false, true])(
    'are refused in words that the model reads, and the run continues',
    async (shows) => {
      const stage = await staged();
      const text = `${'{"to":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
      const tooDeep: Step = { calls: [{ id: '1', tool: 'pay', arguments: text as unknown as object }] };
      const model = new Scripted([tooDeep, answer]);
      const agent = new Agent({ name: 'teller', model, tools: stage.bind(stage.run) });
      expect(await runAgent(agent, 'Do it.', { ...stage.options, shows })).toEqual(delivered);
      expect(JSON.stringify(model.requests.at(-1)?.input)).toMatch(/arguments at .* is not read/);
      expect(stage.done).toEqual([]);
    },
  );
});
