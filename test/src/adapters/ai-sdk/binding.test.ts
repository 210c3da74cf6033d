import {
  APICallError,
  generateText,
  isStepCount,
  streamText,
  ToolLoopAgent,
  wrapLanguageModel,
  type ModelMessage,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { generateGuarded, streamGuarded, type Bound, type GuardedAgent } from 'agentcharter/adapters/ai-sdk';
import { describe, expect, it } from 'vitest';
import type { Step } from '../subject.ts';
import { beginRun, openHouse, Backend } from '../backend.ts';
import { key } from './kept.ts';
import { generated, scripted } from './model.ts';
import { guarded, subject } from './subject.ts';

const messages: ModelMessage[] = [{ role: 'user', content: 'Read.' }];
const read: Step = { calls: [{ id: 'call-1', tool: 'read_balance', arguments: { account: 'a-1' } }] };
const answer: Step = { answer: { said: 'it is done' } };
const script = [read, answer];
const delivered = { status: 'delivered', payload: { said: 'it is done' } };
const stopWhen = isStepCount(9);

const staged = async (model = scripted(script)) => {
  const backend = new Backend();
  const house = await openHouse(subject, backend);
  const run = await beginRun(house);
  const bound = guarded(backend.specs).bind(run, { model });
  const go = (agent: GuardedAgent) => generateGuarded({ run, agent, key, messages });
  return { backend, run, model, bound, go, [Symbol.asyncDispose]: () => house.guard.close() };
};

/** Prompts that say the same, for middleware that writes them anew. */
const rewritten = ({ model }: Bound) =>
  wrapLanguageModel({
    model,
    middleware: {
      transformParams: async ({ params }) => ({
        ...params,
        prompt: [...params.prompt, { role: 'system', content: 'Be kind.' }],
      }),
    },
  });

const withoutTools = (call: object) => ({ ...call, tools: undefined }) as never;

const refusedAt = (path: string) => ({
  code: 'definition_invalid',
  details: { definition: 'tools', issues: [{ path, message: expect.any(String) }] },
});

describe('The result of `bind`', () => {
  it('is frozen', async () => {
    await using stage = await staged();
    const { bound } = stage;
    const parts = [bound, bound.model, bound.tools, ...Object.values(bound.tools)];
    expect(parts.map((part) => Object.isFrozen(part))).toEqual(parts.map(() => true));
    const schemas = Object.values(bound.tools).map(({ inputSchema }) => Object.isFrozen(inputSchema));
    expect(schemas).toEqual(schemas.map(() => true));
  });

  it('refuses a copy of its tools, and says what to do', async () => {
    await using stage = await staged();
    const prepareCall = (call: object) => ({ ...call, tools: { ...stage.bound.tools } }) as never;
    const agent = new ToolLoopAgent({ ...stage.bound, prepareCall });
    await expect(stage.go(agent as GuardedAgent)).rejects.toThrow(
      '/tools is a copy: expected the object that bind returned; use activeTools to show fewer tools',
    );
    expect(stage.model.doGenerateCalls).toEqual([]);
  });

  it('shows fewer tools by `activeTools`, or none', async () => {
    await using stage = await staged();
    const agent = new ToolLoopAgent({ ...stage.bound, activeTools: ['read_balance'] });
    expect(await stage.go(agent)).toEqual(delivered);
    expect(stage.model.doGenerateCalls.map(({ tools = [] }) => tools.map(({ name }) => name))).toEqual([
      ['read_balance'],
      ['read_balance'],
    ]);
    await using other = await staged(scripted(Array.from({ length: 4 }, () => answer)));
    const bare = new ToolLoopAgent({ ...other.bound, prepareCall: withoutTools });
    expect(await other.go(bare as GuardedAgent)).toMatchObject({ status: 'ended' });
  });
});

describe('A loop of the host', () => {
  it('may add callbacks that call ours', async () => {
    await using stage = await staged();
    const { onStepStart, ...bound } = stage.bound;
    const steps: number[] = [];
    const { text } = await generateText({
      ...bound,
      messages,
      stopWhen,
      onStepStart: (step) => {
        onStepStart(step);
        steps.push(step.stepNumber);
      },
    });
    expect([text, steps]).toEqual([JSON.stringify({ said: 'it is done' }), [0, 1]]);
  });

  it.each<[string, (bound: Bound) => object]>([
    ['without `onStepStart`', () => ({ onStepStart: undefined })],
    [
      'with middleware around the bound model that changes the prompt',
      (bound) => ({ model: rewritten(bound) }),
    ],
  ])('is refused %s', async (_, settings) => {
    await using stage = await staged();
    const work = generateText({ ...stage.bound, messages, stopWhen, ...settings(stage.bound) });
    await expect(work).rejects.toMatchObject(refusedAt('/onStepStart'));
    expect(stage.model.doGenerateCalls).toEqual([]);
  });

  it('is refused without callbacks, even after the same loop ran with them', async () => {
    await using stage = await staged();
    await generateText({ ...stage.bound, messages });
    const { tools, model } = stage.bound;
    const work = generateText({ model, tools: { ...tools }, messages });
    await expect(work).rejects.toMatchObject(refusedAt('/onStepStart'));
  });

  it('continues when a streamed step is retried', async () => {
    const plain = scripted(script);
    let isDown = true;
    const model = new MockLanguageModelV4({
      doStream: async (options) => {
        if (!isDown) return plain.doStream(options);
        isDown = false;
        const down = { message: 'overloaded', url: '', requestBodyValues: {}, isRetryable: true };
        throw new APICallError({ ...down, responseHeaders: { 'retry-after-ms': '1' } });
      },
    });
    await using stage = await staged(model);
    const { text } = streamText({ ...stage.bound, messages, stopWhen });
    expect(await text).toBe(JSON.stringify({ said: 'it is done' }));
    expect(model.doStreamCalls).toHaveLength(3);
  });
});

/** An agent that calls the SDK by itself; it passes the callbacks on, or not. */
const ownAgent = (bound: Bound, passesOn: boolean): GuardedAgent => {
  const settingsOf = ({ onStart, onStepStart, ...asked }: Parameters<GuardedAgent['generate']>[0]) => ({
    ...bound,
    ...asked,
    ...(passesOn && { onStart, onStepStart }),
    stopWhen,
  });
  return {
    tools: bound.tools,
    generate: (asked) => generateText(settingsOf(asked)),
    stream: async (asked) => streamText({ ...settingsOf(asked), onError: () => {} }),
  };
};

describe('An agent with a loop of its own', () => {
  it('runs when it passes our callbacks on', async () => {
    await using stage = await staged();
    expect(await stage.go(ownAgent(stage.bound, true))).toEqual(delivered);
  });

  it('stops at its first step when it drops our callbacks', async () => {
    await using stage = await staged();
    await expect(stage.go(ownAgent(stage.bound, false))).rejects.toMatchObject(refusedAt('/agent'));
    expect(stage.model.doGenerateCalls).toHaveLength(1);
  });

  it('streams nothing after a refusal', async () => {
    await using stage = await staged();
    const { run, bound } = stage;
    const stream = streamGuarded({ run, agent: ownAgent(bound, false), key, messages });
    const all = async () => {
      for await (const item of stream) expect(item.unverified).toBe(true);
    };
    await expect(all()).rejects.toMatchObject(refusedAt('/agent'));
    expect(stage.model.doStreamCalls).toHaveLength(1);
  });
});

describe('A model that `prepareStep` substitutes', () => {
  it('proposes its calls one by one', async () => {
    await using stage = await staged();
    const agent = new ToolLoopAgent({ ...stage.bound, prepareStep: () => ({ model: scripted(script) }) });
    expect(await stage.go(agent)).toEqual(delivered);
    expect((await stage.run.progress()).calls).toHaveLength(1);
  });

  it('is refused when its provider ran a call itself', async () => {
    await using stage = await staged();
    const { content, ...rest } = generated(read);
    const hosted = content.flatMap((part) =>
      part.type === 'tool-call' ? [{ ...part, providerExecuted: true, dynamic: true }] : [],
    );
    const result = {
      type: 'tool-result' as const,
      toolCallId: 'call-1',
      toolName: 'read_balance',
      result: {},
    };
    const model = new MockLanguageModelV4({
      doGenerate: { ...rest, content: [...hosted, { ...result, dynamic: true }], warnings: [] },
    });
    const agent = new ToolLoopAgent({ ...stage.bound, prepareStep: () => ({ model }) });
    await expect(stage.go(agent)).rejects.toMatchObject(refusedAt('/tools'));
  });
});
