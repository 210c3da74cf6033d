import { generateText, isStepCount, ToolLoopAgent, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { generateGuarded, streamGuarded, type GuardedStop } from 'agentcharter/adapters/ai-sdk';
import { describe, expect, it } from 'vitest';
import type { Step } from '../subject.ts';
import { beginRun, openHouse, Backend } from '../backend.ts';
import { key } from './kept.ts';
import { scripted } from './model.ts';
import { guarded, subject } from './subject.ts';

const messages: ModelMessage[] = [{ role: 'user', content: 'Pay.' }];
const call = (id: string, tool: string, input: object) => ({ id, tool, arguments: input });
const read: Step = { calls: [call('call-1', 'read_balance', { account: 'a-1' })] };
const pay: Step = { calls: [call('call-3', 'send_money', { to: 'alice', cents: 100 })] };
const answer: Step = { answer: { said: 'it is done' } };
const note: Step = { calls: [call('call-2', 'add_note', {})] };

/** A line in so many arrays: with the object around it, one level more. */
const nested = (levels: number): string => `{"line":${'['.repeat(levels)}"]"${']'.repeat(levels)}}`;

/** A model that makes a note of so many levels after it has read, and goes on with the script. */
const noting = (levels: number, script: readonly Step[]): MockLanguageModelV4 => {
  const plain = scripted([read, note, ...script]);
  const written = <Part extends { readonly type: string }>(part: Part): Part =>
    part.type === 'tool-call' && 'toolName' in part && part.toolName === 'add_note'
      ? { ...part, input: nested(levels) }
      : part;
  return new MockLanguageModelV4({
    doGenerate: async (options) => {
      const { content, ...rest } = await plain.doGenerate(options);
      return { ...rest, content: content.map(written) };
    },
    doStream: async (options) => {
      const { stream } = await plain.doStream(options);
      const writing = new TransformStream({
        transform: (part: Parameters<typeof written>[0], to) => to.enqueue(written(part)),
      });
      return { stream: stream.pipeThrough(writing as never) };
    },
  });
};

const staged = async () => {
  const backend = new Backend();
  const house = await openHouse(subject, backend);
  const run = await beginRun(house);
  const bound = (model: MockLanguageModelV4) => guarded(backend.specs).bind(run, { model });
  return { backend, run, bound, [Symbol.asyncDispose]: () => house.guard.close() };
};

const seenBy = (model: MockLanguageModelV4): string =>
  [...model.doGenerateCalls, ...model.doStreamCalls].map(({ prompt }) => JSON.stringify(prompt)).join();

const streamed = async (given: Parameters<typeof streamGuarded>[0]): Promise<GuardedStop> => {
  for await (const item of streamGuarded(given)) if (!item.unverified) return item.stop;
  throw new Error('expected that it says where it stopped');
};

describe.each([
  ['generated', generateGuarded],
  ['streamed', streamed],
])('Deeply nested arguments, %s', (_, generate) => {
  it.each([64, 5_000, 200_000])('are refused in words: %i arrays in an object', async (levels) => {
    await using stage = await staged();
    const model = noting(levels, [answer]);
    const agent = new ToolLoopAgent(stage.bound(model));
    const stop = await generate({ run: stage.run, agent, key, messages });
    expect(stop).toEqual({ status: 'delivered', payload: { said: 'it is done' } });
    expect(seenBy(model)).toContain('nested deeper than 64 levels');
    expect(stage.backend.effects).toEqual([]);
  });

  it('leave an agent that can be kept', async () => {
    await using stage = await staged();
    const agent = new ToolLoopAgent(stage.bound(noting(200_000, [pay])));
    expect(await generate({ run: stage.run, agent, key, messages })).toMatchObject({ status: 'paused' });
  });
});

it('are replaced when the call is repaired', async () => {
  await using stage = await staged();
  const { text } = await generateText({
    ...stage.bound(noting(200_000, [answer])),
    messages,
    stopWhen: isStepCount(9),
    repairToolCall: async ({ toolCall }) => ({ ...toolCall, input: '{"line":"repaired"}' }),
  });
  expect(text).toBe(JSON.stringify({ said: 'it is done' }));
  expect(stage.backend.effects).toEqual(['noted repaired']);
});

it('do not count brackets inside a text', async () => {
  await using stage = await staged();
  const line = `${'['.repeat(99)}\\"${'{'.repeat(99)}`;
  const model = scripted([read, { calls: [call('call-2', 'add_note', { line })] }, answer]);
  await generateText({ ...stage.bound(model), messages, stopWhen: isStepCount(9) });
  expect(stage.backend.effects).toEqual([`noted ${line}`]);
});
