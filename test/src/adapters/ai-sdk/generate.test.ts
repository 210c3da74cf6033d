import { isStepCount, Output, ToolLoopAgent, type ModelMessage, type ToolLoopAgentSettings } from 'ai';
import {
  generateGuarded,
  type FromKept,
  type FromMessages,
  type GuardedSettings,
  type GuardedStop,
} from 'agentcharter/adapters/ai-sdk';
import type { Run } from 'agentcharter/guard';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import type { Step } from '../subject.ts';
import { approve, beginRun, openHouse, questionOf, signed, Backend, type House } from '../backend.ts';
import { changedKept, key } from './kept.ts';
import { scripted } from './model.ts';
import { guarded, subject } from './subject.ts';

const call = (id: string, tool: string, input: object) => ({ id, tool, arguments: input });
const read: Step = { calls: [call('call-1', 'read_balance', { account: 'a-1' })] };
const pay: Step = { calls: [call('call-2', 'send_money', { to: 'alice', cents: 100 })] };
const answer: Step = { answer: { said: 'it is done' } };
const delivered = { status: 'delivered', payload: { said: 'it is done' } };
const messages: readonly ModelMessage[] = [{ role: 'user', content: 'Pay.' }];

type From = FromMessages | FromKept;
type Settings = Omit<ToolLoopAgentSettings, 'model'>;

const keptIn = (stop: GuardedStop): FromKept => {
  if (!('kept' in stop)) throw new Error(`expected a stop that goes on, not ${stop.status}`);
  return { kept: stop.kept };
};

const staged = async () => {
  const backend = new Backend();
  const house = await openHouse(subject, backend);
  const run = await beginRun(house);
  const agent = (script: readonly (Step | string)[], settings: Settings = {}) => {
    const model = scripted(script);
    const bound = guarded(backend.specs).bind(run, { model });
    return { model, agent: new ToolLoopAgent({ ...(settings as object), ...bound }) };
  };
  const generate = (
    script: readonly (Step | string)[],
    options: Partial<GuardedSettings> & { readonly from?: From; readonly settings?: Settings } = {},
  ) => {
    const { settings, from = { messages }, ...given } = options;
    return generateGuarded({ run, key, ...from, ...agent(script, settings), ...given });
  };
  return { backend, house, run, agent, generate, [Symbol.asyncDispose]: () => house.guard.close() };
};

const rounds = async (house: House, { taskId }: Run) =>
  (await house.guard.orchestrator.ledger(taskId)).flatMap(({ fact }) =>
    fact !== null && 'calls' in fact && Array.isArray(fact.calls) ? [fact.calls.length] : [],
  );

const twice: Step = {
  calls: [call('call-1', 'read_balance', { account: 'a-1' }), call('call-2', 'read_rates', {})],
};

/** A reading of prose that is not ours. */
const draft = (text: string) => ({ payload: { words: text.split(' ').length }, explanation: text });

const unsure = (text: string) => ({ payload: { text }, explanation: 'Perhaps.', confidence: 0.2 });

describe('An agent of the AI SDK', () => {
  it('proposes the calls of one step in one round', async () => {
    await using stage = await staged();
    expect(await stage.generate([twice, answer])).toEqual(delivered);
    expect(await rounds(stage.house, stage.run)).toEqual([2]);
  });

  it('resumes a step from its finished calls, and waits for the others', async () => {
    await using stage = await staged();
    const calls = [...('calls' in read ? read.calls : []), ...('calls' in pay ? pay.calls : [])];
    const stop = await stage.generate([{ calls }, answer]);
    const entry = await questionOf(stage.run);
    await approve(stage.house, entry, await signed(entry));
    expect(await stage.generate([{ calls }, answer], { from: keptIn(stop) })).toEqual(delivered);
    expect(stage.backend.effects).toEqual(['paid alice 100']);
  });

  it('reads why its answer was held back, and answers again', async () => {
    await using stage = await staged();
    const { agent, model } = stage.agent([answer, read, answer]);
    expect(await stage.generate([], { agent })).toEqual(delivered);
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1))).toContain('EVIDENCE_MISSING');
  });

  it('delivers prose as a text by default, and as `draft` reads it otherwise', async () => {
    await using stage = await staged();
    expect(await stage.generate([read, 'It is done.'])).toEqual({
      status: 'delivered',
      payload: { text: 'It is done.' },
    });
    await using other = await staged();
    expect(await other.generate([read, 'It is done.'], { draft })).toMatchObject({ payload: { words: 3 } });
  });

  it('delivers an answer that its `output` schema refuses, if the chart accepts it', async () => {
    await using stage = await staged();
    const settings = { output: Output.object({ schema: z.object({ cents: z.int() }) }) } as Settings;
    expect(await stage.generate([read, answer], { settings })).toEqual(delivered);
  });

  it('answers with an empty text when its model ends without a word', async () => {
    await using stage = await staged();
    expect(await stage.generate([read, ''])).toEqual({ status: 'delivered', payload: { text: '' } });
  });

  it('waits for a person who reviews an empty answer', async () => {
    await using stage = await staged();
    const stop = await stage.generate([read, ''], { draft: unsure });
    expect(stop.status).toBe('paused');
    expect(await stage.generate([], { draft: unsure, from: keptIn(stop) })).toMatchObject({
      status: 'paused',
    });
  });

  it('reads why an empty answer was held back, and its model is sent none', async () => {
    await using stage = await staged();
    const { agent, model } = stage.agent(['']);
    expect(await stage.generate([], { agent })).toMatchObject({ status: 'ended' });
    const [first, second] = model.doGenerateCalls.map(({ prompt }) => prompt);
    expect(first?.map(({ role }) => role)).toEqual(['user']);
    expect(second?.map(({ role }) => role)).toEqual(['user', 'user']);
    expect(JSON.stringify(second)).toContain('EVIDENCE_MISSING');
  });

  it('leaves its run open when its own condition stops it', async () => {
    await using stage = await staged();
    const stop = await stage.generate([read, answer], { settings: { stopWhen: isStepCount(1) } });
    if (stop.status !== 'stopped') throw new Error(stop.status);
    expect(stop.refusal).toBeNull();
    expect(await stage.generate([read, answer], { from: keptIn(stop) })).toEqual(delivered);
  });

  it('waits for a person who reviews its answer, and refuses a changed one', async () => {
    await using stage = await staged();
    const stop = await stage.generate([read, 'It is done.'], { draft: unsure });
    const changed = changedKept(keptIn(stop).kept, (messages) => [
      ...messages.slice(0, -1),
      { role: 'assistant' as const, content: 'It is not.' },
    ]);
    expect(await stage.generate([], { draft: unsure, from: { kept: changed } })).toMatchObject({
      status: 'stopped',
      refusal: { code: 'PROPOSAL_CHANGED' },
    });
    const { message } = await questionOf(stage.run);
    await stage.house.guard.orchestrator.respond(
      { type: 'approve', target: message.messageId },
      { by: 'kim' },
    );
    expect(await stage.generate([], { draft: unsure, from: keptIn(stop) })).toEqual({
      status: 'delivered',
      payload: { text: 'It is done.' },
    });
  });

  it('asks no model after its run ends during a generation', async () => {
    await using stage = await staged();
    const forbidden: Step = { calls: [call('call-2', 'add_note', { line: 'forbidden' })] };
    const { agent, model } = stage.agent([read, forbidden, answer]);
    expect(await stage.generate([], { agent })).toMatchObject({ status: 'ended', state: 'failed' });
    expect(model.doGenerateCalls).toHaveLength(2);
  });

  it('asks no model after its run ended', async () => {
    await using stage = await staged();
    await stage.house.guard.orchestrator.cancel(stage.run.taskId, { by: 'kim' });
    const { agent, model } = stage.agent([read, answer]);
    expect(await stage.generate([], { agent })).toMatchObject({ status: 'ended', state: 'cancelled' });
    expect(model.doGenerateCalls).toEqual([]);
  });

  it('throws the error of its model, and leaves its run open', async () => {
    await using stage = await staged();
    await expect(stage.generate([read])).rejects.toThrow('the script is over');
    expect(await stage.run.progress()).toMatchObject({ isSettled: false });
    expect(await stage.generate([read, answer])).toEqual(delivered);
  });

  it('throws when it is aborted, and leaves its run open', async () => {
    await using stage = await staged();
    const signal = AbortSignal.abort(new Error('that is enough'));
    await expect(stage.generate([read, answer], { signal })).rejects.toThrow('that is enough');
    expect(await stage.run.progress()).toMatchObject({ isSettled: false });
  });

  it.each([
    ['without a known role', [{ role: 'judge', content: 'Pay.' }]],
    ['with a number among them', [...messages, 7]],
  ])('refuses messages %s', async (_, kept) => {
    await using stage = await staged();
    const from = { messages: kept as readonly ModelMessage[] };
    await expect(stage.generate([read, answer], { from })).rejects.toMatchObject({
      code: 'document_invalid',
    });
  });

  it('refuses tools of another run or of none', async () => {
    await using stage = await staged();
    await using other = await staged();
    const { agent } = other.agent([read, answer]);
    await expect(stage.generate([], { agent })).rejects.toMatchObject({ code: 'definition_invalid' });
  });
});

const answers = (given: Awaited<ReturnType<typeof staged>>) =>
  given.agent([answer]).agent.generate({ messages: [...messages] });

it('Closing the guard warns once of an answer that no one checked', async () => {
  const warning = vi.spyOn(process, 'emitWarning').mockReturnValue();
  onTestFinished(() => warning.mockRestore());
  const warned = async (work: (given: Awaited<ReturnType<typeof staged>>) => Promise<unknown>) => {
    warning.mockClear();
    const given = await staged();
    await work(given);
    await given.house.guard.close();
    return warning.mock.calls.filter(([, about]) => Object(about).code === 'AGENTCHARTER_UNCONCLUDED');
  };
  expect(await warned(answers)).toEqual([
    [expect.stringContaining('answered, and no one checked the answer'), expect.anything()],
  ]);
  expect(await warned(({ generate }) => generate([read, pay, answer]))).toEqual([]);
  const concluded = async (given: Awaited<ReturnType<typeof staged>>) => {
    await answers(given);
    await given.run.conclude({ payload: { said: 'it is done' } });
  };
  expect(await warned(concluded)).toEqual([]);
});
