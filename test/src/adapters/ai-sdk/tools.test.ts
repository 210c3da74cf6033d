import {
  asSchema,
  dynamicTool,
  generateText,
  jsonSchema,
  tool,
  ToolLoopAgent,
  toolSearch,
  type ToolSet,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { defineTaskClass, defineTool, type CallContext } from 'agentcharter';
import { type OmittedTools, createGuard, type Run } from 'agentcharter/guard';
import { generateGuarded, guardTools, sealMessages } from 'agentcharter/adapters/ai-sdk';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Step } from '../subject.ts';
import { key } from './kept.ts';
import { generated, scripted } from './model.ts';

const look = tool({
  description: 'Looks at a place.',
  inputSchema: z.object({ place: z.string() }),
  execute: async ({ place }) => ({ place, quiet: true }),
});
const rollback = {
  describe: () => ({ type: 'unsee', target: 'place', payload: {} }),
  run: async () => ({}),
};
const identity = { agent_id: 'scout', owner_id: 'acme', control_class: 'human-supervised' as const };

const begun = async (guarded: ReturnType<typeof guardTools>) => {
  const { tools } = guarded;
  const guard = createGuard({
    tools,
    taskClasses: [defineTaskClass({ id: 'scouting', tools: tools.map(({ name }) => name) })],
  });
  const run = await guard.begin({ taskClass: 'scouting', payload: {}, identity });
  return { guard, run, [Symbol.asyncDispose]: () => guard.close() };
};

const messages = [{ role: 'user' as const, content: 'Look.' }];
const openCall = { type: 'tool-call' as const, toolCallId: 'call-1', toolName: 'look' };
const lookAt = (name: string, input: object = { place: 'Lisbon' }): Step => ({
  calls: [{ id: 'call-1', tool: name, arguments: input }],
});

/** As a validator of the SDK says it. */
const isPorto = (value: unknown) =>
  value !== null && typeof value === 'object' && 'place' in value && value.place === 'Porto'
    ? { success: true as const, value }
    : { success: false as const, error: new Error('expected Porto') };

/** What a model sees after it has called a tool. */
const seenAfter = async (tools: ToolSet, step: Step): Promise<{ run: Run; seen: string }> => {
  const contracts = Object.fromEntries(
    Object.keys(tools).map((name) => [name, { tier: 'read_only' as const }]),
  );
  const guarded = guardTools(tools, contracts);
  await using stage = await begun(guarded);
  const model = scripted([step, 'It is quiet.']);
  const agent = new ToolLoopAgent(guarded.bind(stage.run, { model }));
  await generateGuarded({ run: stage.run, agent, key, messages });
  return { run: stage.run, seen: JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1)) };
};

describe('AI SDK tools under contracts', () => {
  it('are of high risk by default', () => {
    const { tools } = guardTools({ look, see: look }, { look: { tier: 'read_only' }, see: { rollback } });
    expect(tools.map(({ name, tier }) => [name, tier])).toEqual([
      ['look', 'read_only'],
      ['see', 'write_high_risk'],
    ]);
  });

  it('hide a high-risk tool without rollback from the model, and warn once', async () => {
    const omitted: OmittedTools[] = [];
    const contracts = { look: { tier: 'read_only' }, pay: { tier: 'write_high_risk' } } as const;
    // @ts-expect-error -- `pay` says that it is high-risk and has no rollback
    const guarded = guardTools({ look, see: look, pay: look }, contracts, [], {
      onOmitted: (told) => omitted.push(told),
    });
    expect(guarded.tools.map(({ name }) => name)).toEqual(['look']);
    await using stage = await begun(guarded);
    const bound = guarded.bind(stage.run, { model: scripted([]) });
    expect(Object.keys(bound.tools)).toEqual(['look']);
    expect(omitted).toEqual([
      { names: ['see', 'pay'], message: expect.stringContaining('"see": its rollback is required') },
    ]);
  });

  it.each([
    [
      'a contract of an unknown tool',
      { look },
      { loook: { tier: 'read_only' } },
      [],
      /\/loook is no tool.*look/,
    ],
    ['a tool that a client executes', { look: { ...look, execute: undefined } }, {}, [], /no `execute`/],
    [
      'a tool that a provider executes',
      {
        web: { type: 'provider', id: 'x.web', args: {}, isProviderExecuted: true, inputSchema: z.object({}) },
      },
      {},
      [],
      /\/web is a tool of a provider/,
    ],
    [
      'a tool that requires a context',
      { look: { ...look, contextSchema: z.object({}) } },
      {},
      [],
      /a context/,
    ],
    [
      'a tool with a function that runs before the approval',
      { look: { ...look, onInputAvailable: () => {} } },
      {},
      [],
      /\/look has `onInputAvailable`/,
    ],
    ['a tool whose `execute` the SDK replaces', { look: toolSearch() }, {}, [], /\/look is a tool search/],
    [
      'two tools with one name',
      { look },
      {},
      [
        defineTool({
          name: 'look',
          description: '',
          tier: 'read_only',
          input: z.object({}),
          call: async () => ({}),
        }),
      ],
      /\/look is the name of two tools/,
    ],
  ])('cannot be %s', (_, tools, contracts, own, message) => {
    const guard = () => guardTools(tools as unknown as ToolSet, contracts as never, own);
    expect(guard).toThrow(
      expect.objectContaining({ code: 'definition_invalid', message: expect.stringMatching(message) }),
    );
  });

  it.each([
    ['no options', undefined, /^bind: \/model got none: expected \{ model \}/],
    ['no model', {}, /^bind: \/model got none/],
    ['another object', { model: {} }, /^bind: \/model got no model of the AI SDK/],
    ['the name of a model', { model: 'openai/gpt-5' }, /^bind: \/model got the name of a model/],
  ])('cannot be bound with %s', async (_, options, message) => {
    const guarded = guardTools({ look }, { look: { tier: 'read_only' } });
    await using stage = await begun(guarded);
    expect(() => guarded.bind(stage.run, options as never)).toThrow(
      expect.objectContaining({ code: 'definition_invalid', message: expect.stringMatching(message) }),
    );
  });

  it.each([undefined, {}])('cannot be bound to %j in place of a run', (run) => {
    const { bind } = guardTools({ look }, { look: { tier: 'read_only' } });
    expect(() => bind(run as never, { model: scripted([]) })).toThrow(/^bind: \/run expected a run/);
  });

  it('show the model their own input schemas, beside our tools', async () => {
    const own = defineTool({
      name: 'ours',
      description: 'Ours.',
      tier: 'read_only',
      input: z.object({ count: z.int() }),
      call: async () => ({}),
    });
    const guarded = guardTools({ look }, { look: { tier: 'read_only' } }, [own]);
    await using stage = await begun(guarded);
    const { tools } = guarded.bind(stage.run, { model: scripted([]) });
    expect(await asSchema(tools['look']?.inputSchema).jsonSchema).toEqual(
      await asSchema(look.inputSchema).jsonSchema,
    );
    expect(tools['ours']).toMatchObject({ type: 'dynamic', description: 'Ours.' });
    expect(await asSchema(tools['ours']?.inputSchema).jsonSchema).toMatchObject({ required: ['count'] });
  });

  it('keep the implementation that was guarded when tools are replaced later', async () => {
    const own = { ...look };
    const guarded = guardTools({ look: own }, { look: { tier: 'read_only' } });
    own.execute = async () => ({ place: 'nowhere', quiet: false });
    await using stage = await begun(guarded);
    expect(await stage.run.call('look', { place: 'Lisbon' })).toMatchObject({
      status: 'done',
      result: { place: 'Lisbon', quiet: true },
    });
  });

  it('receive the idempotency key of the effect, and no messages', async () => {
    const given: unknown[] = [];
    const receivedTool = tool({
      inputSchema: z.object({ place: z.string() }),
      execute: async (input, { context, messages: before }) => {
        given.push(input, (context as unknown as CallContext).key, before);
        return {};
      },
    });
    await seenAfter({ told: receivedTool }, lookAt('told'));
    expect(given).toEqual([{ place: 'Lisbon' }, expect.stringMatching(/^sha256:/), []]);
  });

  it.each([
    [
      'the last yielded value',
      {
        look: {
          ...look,
          execute: async function* () {
            yield { at: 1 };
            yield { at: 2 };
          },
        },
      },
      '"value":{"at":2}',
    ],
    [
      'the tool’s own model output',
      { look: { ...look, toModelOutput: () => ({ type: 'text', value: 'hush' }) } },
      '"value":"hush"',
    ],
    [
      'the result of a dynamic tool',
      { look: dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: async (input) => input }) },
      '"value":{"place":"Lisbon"}',
    ],
  ] as const)('give the model %s', async (_, tools, seen) => {
    expect((await seenAfter(tools as unknown as ToolSet, lookAt('look'))).seen).toContain(seen);
  });

  it('validate arguments with their own schema of any kind', async () => {
    const strict = tool({
      inputSchema: jsonSchema<object>({ type: 'object' }, { validate: isPorto }),
      execute: async (input) => input,
    });
    expect((await seenAfter({ strict }, lookAt('strict'))).seen).toMatch(/OUTPUT_INVALID.*expected Porto/);
    expect((await seenAfter({ strict }, lookAt('strict', { place: 'Porto' }))).seen).toContain(
      '"place":"Porto"',
    );
  });

  it('pause when the tool itself asks for approval', async () => {
    const asking = tool({
      inputSchema: z.object({ place: z.string() }),
      execute: async (_, { context }) => {
        const { answer, needsHuman } = context as unknown as CallContext;
        return answer === null ? needsHuman({ explanation: 'Which side?' }) : { side: 'left' };
      },
    });
    const guarded = guardTools({ asking }, { asking: { tier: 'read_only' } });
    await using stage = await begun(guarded);
    const agent = new ToolLoopAgent(
      guarded.bind(stage.run, { model: scripted([lookAt('asking'), 'Left.']) }),
    );
    const stop = await generateGuarded({ run: stage.run, agent, key, messages });
    if (stop.status !== 'paused') throw new Error(stop.status);
    const [entry] = stop.questions;
    expect(entry?.message.explanation).toBe('Which side?');
    await stage.guard.orchestrator.respond(
      { type: 'approve', target: entry?.message.messageId ?? '' },
      { by: 'kim' },
    );
    expect(await generateGuarded({ run: stage.run, agent, key, kept: stop.kept })).toMatchObject({
      status: 'delivered',
    });
  });
});

describe('A tool or call outside the binding', () => {
  it('is refused if untyped code passes no run and no agent', async () => {
    const nothing = { messages: [] } as unknown as Parameters<typeof generateGuarded>[0];
    await expect(generateGuarded(nothing)).rejects.toMatchObject({
      code: 'definition_invalid',
      details: { issues: [{ path: '/run' }, { path: '/agent' }] },
    });
  });

  it('is refused before the model is asked', async () => {
    const guarded = guardTools({ look }, { look: { tier: 'read_only' } });
    await using stage = await begun(guarded);
    const model = scripted([lookAt('look'), 'It is quiet.']);
    const bound = guarded.bind(stage.run, { model });
    const asked = generateText({ ...bound, tools: { ...bound.tools, raw: look }, messages });
    await expect(asked).rejects.toMatchObject({
      code: 'definition_invalid',
      details: { issues: [{ path: '/raw' }] },
    });
    expect(model.doGenerateCalls).toEqual([]);
  });

  it('does not count when a provider ran it', async () => {
    const guarded = guardTools({ look }, { look: { tier: 'read_only' } });
    await using stage = await begun(guarded);
    const { content, ...rest } = generated(lookAt('look'));
    const hosted = content.map((part) => ({ ...part, providerExecuted: true }));
    const model = new MockLanguageModelV4({
      doGenerate: { content: hosted, ...rest, warnings: [] },
    });
    const agent = new ToolLoopAgent(guarded.bind(stage.run, { model }));
    const stop = generateGuarded({ run: stage.run, agent, key, messages });
    await expect(stop).rejects.toMatchObject({ code: 'definition_invalid' });
  });

  it('is not called when the SDK skips it after a cut-off step', async () => {
    const guarded = guardTools({ look }, { look: { tier: 'read_only' } });
    await using stage = await begun(guarded);
    const cut = {
      ...generated(lookAt('look')),
      finishReason: { unified: 'length' as const, raw: undefined },
    };
    const model = new MockLanguageModelV4({ doGenerate: { ...cut, warnings: [] } });
    const { toolApproval: _, ...bound } = guarded.bind(stage.run, { model });
    await generateText({ ...bound, messages });
    expect((await stage.run.progress()).calls).toEqual([]);

    const agent = new ToolLoopAgent(guarded.bind(stage.run, { model: scripted([lookAt('look'), 'No.']) }));
    const cutOff = [
      ...messages,
      { role: 'assistant' as const, content: [{ ...openCall, input: { place: 'Lisbon' } }] },
    ];
    const { run } = stage;
    const kept = await sealMessages({ taskId: run.taskId, messages: cutOff }, key);
    expect(await generateGuarded({ run, agent, key, kept })).toMatchObject({ status: 'delivered' });
    expect((await stage.run.progress()).calls).toEqual([]);
  });
});
