import { ToolLoopAgent } from 'ai';
import {
  streamGuarded,
  type FromKept,
  type FromMessages,
  type GuardedSettings,
  type Streamed,
} from 'agentcharter/adapters/ai-sdk';
import { createStreamReader } from 'agentcharter/streaming';
import { describe, expect, it } from 'vitest';
import { GuardedRun } from '../../../../src/guard/guarded-run.ts';
import type { Step } from '../subject.ts';
import { approve, beginRun, openHouse, questionOf, signed, Backend } from '../backend.ts';
import { key } from './kept.ts';
import { scripted } from './model.ts';
import { guarded, subject } from './subject.ts';

const call = (id: string, tool: string, input: object) => ({ id, tool, arguments: input });
const balance = call('call-1', 'read_balance', { account: 'a-1' });
const read: Step = { calls: [balance] };
const pay: Step = { calls: [call('call-2', 'send_money', { to: 'alice', cents: 100 })] };
const messages: FromMessages['messages'] = [{ role: 'user', content: 'Pay.' }];

const all = async (items: AsyncIterable<Streamed>): Promise<readonly Streamed[]> => {
  const list: Streamed[] = [];
  for await (const item of items) list.push(item);
  return list;
};

const stopIn = (items: readonly Streamed[]) => {
  const last = items.at(-1);
  if (last === undefined || last.unverified) throw new Error('expected that it says where it stopped');
  return last.stop;
};

const types = (items: readonly Streamed[]): readonly string[] =>
  items.map((item) => (item.unverified ? item.part.type : item.stop.status));

const staged = async () => {
  const backend = new Backend();
  const house = await openHouse(subject, backend);
  const run = await beginRun(house);
  /** A model that takes its time, as real ones do: until the chart asks for a draft. */
  const wanted = () => (run instanceof GuardedRun ? run.turn?.turn.wants : null);
  const slowly = async (turn: number): Promise<void> => {
    if (turn === 0) return;
    await expect.poll(wanted, { interval: 1 }).toBe('draft');
  };
  const stream = (
    script: readonly (Step | string)[],
    given: Partial<GuardedSettings> & { readonly from?: FromMessages | FromKept } = {},
    before?: (turn: number) => Promise<void>,
  ) => {
    const bound = guarded(backend.specs).bind(run, { model: scripted(script, before) });
    const agent = new ToolLoopAgent({ ...bound, onError: () => {} });
    const { from = { messages }, ...settings } = given;
    return all(streamGuarded({ run, agent, key, ...from, ...settings }));
  };
  return { backend, house, run, slowly, stream, [Symbol.asyncDispose]: () => house.guard.close() };
};

describe('The stream of an agent', () => {
  it('answers with an empty text when its model ends without a word', async () => {
    await using stage = await staged();
    expect(stopIn(await stage.stream([read, '']))).toEqual({ status: 'delivered', payload: { text: '' } });
  });

  it('marks all text as unverified, and ends with the delivered answer', async () => {
    await using stage = await staged();
    const items = await stage.stream([read, 'It is done.']);
    expect(stopIn(items)).toEqual({ status: 'delivered', payload: { text: 'It is done.' } });
    expect(items.slice(0, -1).every(({ unverified }) => unverified)).toBe(true);
    expect(types(items).filter((type) => /^(text-delta|tool-result|delivered)$/.test(type))).toEqual([
      'tool-result',
      ...Array.from({ length: 3 }, () => 'text-delta'),
      'delivered',
    ]);
  });

  it('reaches the orchestrator’s listeners, and is final after delivery', async () => {
    await using stage = await staged();
    const reader = createStreamReader('first');
    const streamed: string[] = [];
    stage.house.guard.orchestrator.on('chunk', ({ envelope }) => {
      const { state, text } = reader.read(envelope);
      streamed.push(`${state} ${text}`);
    });
    await stage.stream([read, 'It is done.'], {}, stage.slowly);
    expect(streamed).toEqual(['open It ', 'open It is ', 'open It is done.', 'final It is done.']);
  });

  it('delivers no answer without evidence', async () => {
    await using stage = await staged();
    const items = await stage.stream(Array.from({ length: 4 }, () => 'the secret answer'));
    expect(stopIn(items)).toMatchObject({ status: 'ended', reasons: [{ code: 'EVIDENCE_MISSING' }] });
    expect(JSON.stringify(stopIn(items))).not.toContain('secret');
  });

  it('pauses for people, and resumes from the kept state', async () => {
    await using stage = await staged();
    const stop = stopIn(await stage.stream([read, pay]));
    if (stop.status !== 'paused') throw new Error(stop.status);
    const entry = await questionOf(stage.run);
    await approve(stage.house, entry, await signed(entry));
    const items = await stage.stream([read, pay, 'It is done.'], { from: { kept: stop.kept } });
    expect(stopIn(items)).toMatchObject({ status: 'delivered' });
    expect(stage.backend.effects).toEqual(['paid alice 100']);
  });

  it('proposes the calls of one step in one round', async () => {
    await using stage = await staged();
    const calls = [balance, call('call-2', 'read_rates', {})];
    await stage.stream([{ calls }, 'It is done.']);
    const records = await stage.house.guard.orchestrator.ledger(stage.run.taskId);
    expect(
      records.flatMap(({ fact }) => (fact?.type === 'plan.proposed' ? [fact.calls.length] : [])),
    ).toEqual([2]);
  });

  it('ends with the error of its model, and leaves the run open', async () => {
    await using stage = await staged();
    await expect(stage.stream([read])).rejects.toThrow('the script is over');
    expect(await stage.run.progress()).toMatchObject({ isSettled: false });
  });

  it('ends when it is aborted, and leaves the run open', async () => {
    await using stage = await staged();
    const signal = AbortSignal.abort(new Error('that is enough'));
    await expect(stage.stream([read], { signal })).rejects.toThrow('that is enough');
    expect(await stage.run.progress()).toMatchObject({ isSettled: false });
  });
});
