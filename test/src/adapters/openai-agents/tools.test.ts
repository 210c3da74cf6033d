import { handoff, RunContext, tool as sdkTool, webSearchTool, type Agent, type Tool } from '@openai/agents';
import { defineTaskClass, isCharterError } from 'agentcharter';
import { createGuard, type OmittedTools } from 'agentcharter/guard';
import { agentTool, guardTools, runAgent, tool } from 'agentcharter/adapters/openai-agents';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Step } from '../subject.ts';
import { outputs, Scripted } from './scripted.ts';
import { agentWith, answer, identity, openStage, type Stage } from './stage.ts';

const pay = tool({
  name: 'bank.pay',
  description: 'Pays.',
  parameters: z.object({ to: z.string() }),
  execute: ({ to }) => ({ to }),
});

const rollback = {
  describe: () => ({ type: 'recall', target: 'bank', payload: {} }),
  run: async () => ({}),
};
const low = { tier: 'write_low_risk' } as const;

/** The same tool, as the SDK builds it. */
const built = sdkTool({
  name: 'bare',
  description: 'Pays.',
  parameters: z.object({ to: z.string() }),
  execute: ({ to }) => ({ to }),
});

const staged = async (): Promise<Stage> => {
  const stage = await openStage();
  onTestFinished(() => stage.guard.close());
  return stage;
};

const issues = async (work: () => unknown): Promise<readonly string[]> => {
  try {
    await work();
  } catch (error) {
    if (isCharterError(error, 'definition_invalid'))
      return error.details.issues.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
  return [];
};

/** What tests do that no compiler lets through. */
const untyped = (definition: object) => tool(definition as Parameters<typeof tool>[0]);

it('names and arguments of tools are known to the compiler', () => {
  const { tools } = guardTools([pay], {
    'bank.pay': { tier: 'write_low_risk', summary: ({ to }) => to satisfies string },
  });
  tools[0]?.name satisfies 'bank.pay' | undefined;
  // @ts-expect-error -- the tool has no such argument
  const wrong = () => guardTools([pay], { 'bank.pay': { summary: ({ form }) => String(form) } });
  // @ts-expect-error -- there is no such tool
  const unknown = () => guardTools([pay], { 'bank.pya': {} });
  expect([wrong, unknown]).toHaveLength(2);
});

describe('The definition of a tool', () => {
  it('has the highest tier without a contract', () => {
    const { tools } = guardTools([pay], { 'bank.pay': { rollback } });
    expect(tools).toMatchObject([{ name: 'bank.pay', tier: 'write_high_risk' }]);
  });

  it('omits a tool that needs a contract without one', () => {
    const omitted: OmittedTools[] = [];
    const { tools } = guardTools([pay], undefined, [], { onOmitted: (given) => omitted.push(given) });
    expect([tools, omitted]).toMatchObject([[], [{ names: ['bank.pay'] }]]);
    expect(guardTools([]).tools).toEqual([]);
  });

  it('hides a high-risk tool without rollback from the agent, and warns once', async () => {
    const { run } = await staged();
    const omitted: OmittedTools[] = [];
    const [read, send] = ['read', 'send'].map((name) => tool({ ...pay, name }));
    const { tools, bind } = guardTools(
      [pay, read!, send!],
      // @ts-expect-error -- `send` says that it is high-risk and has no rollback
      { read: { tier: 'read_only' }, send: { tier: 'write_high_risk' } },
      [],
      { onOmitted: (told) => omitted.push(told) },
    );
    expect(tools.map(({ name }) => name)).toEqual(['read']);
    expect(bind(run).map(({ name }) => name)).toEqual(['read']);
    expect(omitted).toEqual([
      {
        names: ['bank.pay', 'send'],
        message: expect.stringContaining('"bank.pay": its rollback is required'),
      },
    ]);
  });

  it('takes the contract of the tool’s own name, whatever the SDK makes of it', async () => {
    const { run } = await staged();
    const { tools, bind } = guardTools([pay], { 'bank.pay': { tier: 'write_low_risk' } });
    expect(tools).toMatchObject([{ name: 'bank.pay', tier: 'write_low_risk' }]);
    expect(bind(run)).toMatchObject([{ name: 'bank_pay', parameters: { required: ['to'] }, strict: true }]);
  });

  it('is refused with a contract of an unknown tool', async () => {
    expect(await issues(() => guardTools([pay], { 'bank.pya': {} } as object))).toEqual([
      '/contracts/bank.pya: unknown tool "bank.pya": expected one of bank.pay',
    ]);
  });

  it('is refused when the SDK merges two names into one', async () => {
    const twin = tool({ ...pay, name: 'bank/pay' });
    expect(await issues(() => guardTools([pay, twin], { 'bank.pay': low, 'bank/pay': low }))).toEqual([
      ': two tools are "bank_pay" to the SDK: expected one',
    ]);
  });

  it.each([
    ['when it is hosted', webSearchTool()],
    ['after tool() built it', built],
  ])('is refused %s', async (_, given) => {
    expect(await issues(() => untyped(given))).toEqual([
      expect.stringMatching(/^: expected the arguments of tool\(\)/),
    ]);
  });

  it.each(['needsApproval', 'errorFunction', 'inputGuardrails', 'timeoutMs'])(
    'is refused with %s, which belongs into its contract',
    async (option) => {
      expect(await issues(() => untyped({ ...pay, [option]: null }))).toEqual([
        expect.stringMatching(`^/${option}: `),
      ]);
    },
  );

  it('is refused with a schema that the SDK cannot print', async () => {
    const optional = tool({
      ...pay,
      parameters: z.object({ to: z.custom(() => true) }),
      execute: () => ({}),
    });
    expect(await issues(() => guardTools([optional], { 'bank.pay': low }))).toEqual([
      expect.stringMatching('^/parameters: '),
    ]);
  });
});

const refused = async (stage: Stage, agent: Agent): Promise<readonly string[]> =>
  issues(() => runAgent(agent, 'Do it.', stage.options));

describe('An agent is refused', () => {
  it('with an unbound tool', async () => {
    const stage = await staged();
    expect(await refused(stage, stage.agent([answer], [...stage.bind(stage.run), built]))).toEqual([
      '/teller/tools/bare: expected a tool of bind or of agentTool, bound to this run',
    ]);
  });

  it('with a tool of another run', async () => {
    const [stage, other] = [await staged(), await staged()];
    const [foreign] = other.bind(other.run);
    expect(await refused(stage, stage.agent([answer], foreign === undefined ? [] : [foreign]))).toEqual([
      '/teller/tools/read: expected a tool of bind or of agentTool, bound to this run',
    ]);
  });

  it('with a hosted tool', async () => {
    const stage = await staged();
    expect(await refused(stage, stage.agent([answer], [webSearchTool()]))).toEqual([
      '/teller/tools/web_search: a tool of type "hosted_tool" bypasses the guard: expected a function tool',
    ]);
  });

  it('with MCP servers that it calls itself', async () => {
    const stage = await staged();
    const agent = stage.agent([answer]);
    agent.mcpServers = [{ name: 'files' } as unknown as (typeof agent.mcpServers)[number]];
    expect(await refused(stage, agent)).toEqual([
      '/teller/mcpServers: expected none: guard them with agentcharter/adapters/mcp',
    ]);
  });

  it('with a handoff to a refused agent, even one that hands back', async () => {
    const stage = await staged();
    const bare: Tool = webSearchTool();
    const outer = stage.agent([answer]);
    const inner = agentWith([answer], [bare], 'clerk');
    outer.handoffs = [handoff(inner)];
    inner.handoffs = [outer];
    expect(await refused(stage, outer)).toEqual([expect.stringMatching('^/clerk/tools/web_search: ')]);
    expect(await issues(() => agentTool(inner, stage.run))).toHaveLength(1);
  });
});

const call = (callId: string, name: string, input: object) => ({
  toolCall: { type: 'function_call' as const, callId, name, arguments: JSON.stringify(input) },
});

describe('A bound tool called without a proposal', () => {
  it('makes no call that waits for a person, and returns only the question', async () => {
    const stage = await staged();
    const bound = stage.bind(stage.run).find(({ name }) => name === 'pay');
    const details = call('1', 'pay', { to: 'alice' });
    const made = bound?.invoke(new RunContext(), details.toolCall.arguments, details);
    await expect(made).rejects.toThrow('pay waits for an answer: state.approve has no effect');
    expect(stage.done).toEqual([]);
    expect(await stage.run.questions()).toHaveLength(1);
  });

  it('makes an allowed call once under its id, and one with other arguments as another', async () => {
    const stage = await staged();
    const bound = stage.bind(stage.run).find(({ name }) => name === 'read');
    const invoke = async (of: string): Promise<unknown> => {
      const details = call('1', 'read', { of });
      return JSON.parse(String(await bound?.invoke(new RunContext(), details.toolCall.arguments, details)));
    };
    expect([await invoke('a'), await invoke('a')]).toEqual([{ of: 'a' }, { of: 'a' }]);
    expect(await invoke('b')).toEqual({ of: 'b' });
    expect(stage.done).toEqual(['read a', 'read b']);
  });
});

describe('The invocation of a tool', () => {
  it('receives the host’s context and the key of the effect', async () => {
    const seen: unknown[] = [];
    const { tools } = guardTools(
      [
        tool({
          ...pay,
          execute: (input, { context }, { toolCall, signal }) => {
            seen.push(input, context, toolCall?.callId, signal?.aborted);
          },
        }),
      ],
      { 'bank.pay': low },
      [],
      { context: ({ call }) => ({ call }) },
    );
    const given = { key: 'k', call: 'c', signal: new AbortController().signal };
    await tools[0]?.call({ to: 'alice' }, given as Parameters<(typeof tools)[number]['call']>[1]);
    expect(seen).toEqual([{ to: 'alice' }, { call: 'c' }, 'k', false]);
  });
});

describe('A result', () => {
  it.each([
    ['a text', 'It rained.', 'It rained.'],
    ['an object', { rain: true }, '{"rain":true}'],
  ])('that is %s reaches the model as it is', async (_, result, told) => {
    const weather = tool({
      name: 'weather',
      description: '',
      parameters: z.object({}),
      execute: () => result,
    });
    const { tools, bind } = guardTools([weather], { weather: { tier: 'read_only' } });
    const taskClasses = [defineTaskClass({ id: 'job', tools: ['weather'] })];
    await using guard = createGuard({ tools, taskClasses });
    const run = await guard.begin({ taskClass: 'job', payload: {}, identity });
    const script: Step[] = [{ calls: [{ id: '1', tool: 'weather', arguments: {} }] }, answer];
    const model = new Scripted(script);
    const agent = agentWith(script, bind(run));
    agent.model = model;
    expect(await runAgent(agent, 'Do it.', { run })).toMatchObject({ status: 'delivered' });
    expect(outputs(model)).toEqual([told]);
  });
});
