import { ToolLoopAgent, type ModelMessage } from 'ai';
import {
  generateGuarded,
  streamGuarded,
  type SavedGeneration,
  type SavedStop,
} from 'agentcharter/adapters/ai-sdk';
import { describe, expect, it, vi } from 'vitest';
import { approve, Backend, beginRun, openHouse, questionOf, signed } from '../backend.ts';
import type { Step } from '../subject.ts';
import { scripted } from './model.ts';
import { guarded, subject } from './subject.ts';

const user: ModelMessage = { role: 'user', content: 'Pay Alice.' };
const script: readonly Step[] = [
  { calls: [{ id: 'call-0', tool: 'read_balance', arguments: { account: 'a-1' } }] },
  { calls: [{ id: 'call-1', tool: 'send_money', arguments: { to: 'alice', cents: 100 } }] },
  { answer: { said: 'paid' } },
];

const streamed = async (given: SavedGeneration): Promise<SavedStop> => {
  for await (const item of streamGuarded(given)) if (!item.unverified) return item.stop;
  throw new Error('expected where it stopped');
};

const staged = async () => {
  const backend = new Backend();
  const house = await openHouse(subject, backend);
  const run = await beginRun(house);
  const model = scripted(script);
  const agent = () => new ToolLoopAgent(guarded(backend.specs).bind(run, { model }));
  const saved = async () =>
    (await house.guard.orchestrator.ledger(run.taskId)).filter(({ kind }) => kind === 'agent');
  return { backend, house, run, model, agent, saved, [Symbol.asyncDispose]: () => house.guard.close() };
};

describe.each([
  ['generated', (given: SavedGeneration) => generateGuarded(given)],
  ['streamed', streamed],
] as const)('An agent without a key, %s', (_, generate) => {
  it('continues from its saved messages, whatever the first messages are', async () => {
    await using stage = await staged();
    const { run, model, house, backend } = stage;
    const stop = await generate({ run, agent: stage.agent(), messages: [user] });
    expect(stop).toMatchObject({ status: 'paused' });
    expect(stop).not.toHaveProperty('kept');
    const entry = await questionOf(run);
    await approve(house, entry, await signed(entry));
    const other: ModelMessage = { role: 'user', content: 'Pay Bob.' };
    const end = await generate({ run, agent: stage.agent(), messages: [other] });
    expect(end).toEqual({ status: 'delivered', payload: { said: 'paid' } });
    expect(backend.effects).toEqual(['paid alice 100']);
    const prompts = [...model.doGenerateCalls, ...model.doStreamCalls].map(({ prompt }) =>
      JSON.stringify(prompt),
    );
    expect(prompts.join()).not.toContain('Pay Bob.');
  });

  it('saves the same pause once', async () => {
    await using stage = await staged();
    for (let times = 0; times < 3; times += 1)
      await generate({ run: stage.run, agent: stage.agent(), messages: [user] });
    expect(await stage.saved()).toHaveLength(1);
  });

  it('pauses, and warns, where its messages are too large to be saved', async () => {
    await using stage = await staged();
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const large: ModelMessage = { role: 'user', content: 'x'.repeat(8_400_000) };
    const given = () => ({ run: stage.run, agent: stage.agent(), messages: [large] });
    expect(await generate(given())).toMatchObject({ status: 'paused' });
    expect(warned.mock.calls).toMatchObject([
      [
        expect.stringMatching(/at most 8388608 UTF-16.*pass a `key`/),
        { code: 'AGENTCHARTER_STATE_NOT_SAVED' },
      ],
    ]);
    const entry = await questionOf(stage.run);
    await approve(stage.house, entry, await signed(entry));
    expect(await generate(given())).toMatchObject({ status: 'delivered' });
    expect(stage.backend.effects).toEqual(['paid alice 100']);
  });

  it('refuses a saved state that is not its own', async () => {
    await using stage = await staged();
    await stage.run.saveState({ state: 'of another framework' });
    await expect(generate({ run: stage.run, agent: stage.agent(), messages: [user] })).rejects.toMatchObject({
      code: 'document_invalid',
    });
    expect(stage.backend.effects).toEqual([]);
  });
});
