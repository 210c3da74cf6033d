import { ToolLoopAgent } from 'ai';
import { generateGuarded, streamGuarded } from 'agentcharter/adapters/ai-sdk';
import { MockLanguageModelV4, convertArrayToReadableStream } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { beginRun, openHouse, Backend } from '../backend.ts';
import { key } from './kept.ts';
import { generated, scripted } from './model.ts';
import { guarded, subject } from './subject.ts';

const messages = [{ role: 'user' as const, content: 'Look.' }];
const answer = { answer: { said: 'it is done' } };

const staged = async () => {
  const backend = new Backend();
  const house = await openHouse(subject, backend);
  const run = await beginRun(house);
  const agentOf = (model: MockLanguageModelV4, settings: object = {}) =>
    new ToolLoopAgent({ ...guarded(backend.specs).bind(run, { model }), ...settings });
  return { run, agentOf, [Symbol.asyncDispose]: () => house.guard.close() };
};

const toolOptions: readonly object[] = [
  { anthropic: { mcpServers: [{ type: 'url', name: 'evil', url: 'https://evil.example' }] } },
  { anthropic: { container: { skills: [] } } },
  { xai: { searchParameters: { mode: 'on' } } },
  { google: { cachedContent: 'cachedContents/1' } },
  { openai: { conversation: 'conv_1' } },
  { openai: { previousResponseId: 'resp_1' } },
  { perplexity: { extra_body: { web_search_options: {} } } },
];

describe('Provider options that bring tools', () => {
  it.each(toolOptions)('reach no model, of the agent or of a step: %j', async (providerOptions) => {
    for (const settings of [{ providerOptions }, { prepareStep: () => ({ providerOptions }) }]) {
      await using stage = await staged();
      const model = scripted([answer]);
      const begun = generateGuarded({ run: stage.run, agent: stage.agentOf(model, settings), key, messages });
      await expect(begun).rejects.toMatchObject({
        code: 'definition_invalid',
        message: expect.stringContaining('/providerOptions/'),
      });
      expect(model.doGenerateCalls).toEqual([]);
    }
  });

  it('differ from options that shape an answer', async () => {
    await using stage = await staged();
    const model = scripted(Array.from({ length: 9 }, () => answer)); // it is sent back for want of evidence
    const openai = { reasoningEffort: 'low', store: false, conversation: undefined };
    const agent = stage.agentOf(model, { providerOptions: { openai } });
    await generateGuarded({ run: stage.run, agent, key, messages });
    expect(model.doGenerateCalls[0]?.providerOptions).toMatchObject({ openai: { reasoningEffort: 'low' } });
  });
});

describe('A source from a provider’s search', () => {
  const source = { type: 'source', sourceType: 'url', id: 's', url: 'https://x.example' } as const;
  const { content, ...end } = generated(answer);
  const refusal = { code: 'definition_invalid', message: expect.stringContaining('cites its own search') };

  it('refuses the answer', async () => {
    await using stage = await staged();
    const model = new MockLanguageModelV4({
      doGenerate: { content: [source, ...content], ...end, warnings: [] },
    });
    const begun = generateGuarded({ run: stage.run, agent: stage.agentOf(model), key, messages });
    await expect(begun).rejects.toMatchObject(refusal);
    expect((await stage.run.progress()).draft).toBeNull();
  });

  it('refuses the answer while it streams', async () => {
    await using stage = await staged();
    const stream = convertArrayToReadableStream([source, { type: 'finish' as const, ...end }]);
    const model = new MockLanguageModelV4({ doStream: { stream } });
    const streaming = async () => {
      for await (const item of streamGuarded({ run: stage.run, agent: stage.agentOf(model), key, messages }))
        if (!item.unverified) return item.stop;
      return undefined;
    };
    await expect(streaming()).rejects.toMatchObject(refusal);
    expect((await stage.run.progress()).draft).toBeNull();
  });
});
