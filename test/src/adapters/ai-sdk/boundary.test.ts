import { generateText, isStepCount, type ModelMessage, type ToolSet } from 'ai';
import type { Run } from 'agentcharter/guard';
import { describe, expect, it } from 'vitest';
import type { Step } from '../subject.ts';
import { approve, beginRun, openHouse, questionOf, signed, Backend, type House } from '../backend.ts';
import { approved, edited } from './kept.ts';
import { scripted } from './model.ts';
import { guarded, subject } from './subject.ts';

const read: Step = { calls: [{ id: 'call-1', tool: 'read_balance', arguments: { account: 'a-1' } }] };
const input = { to: 'alice', cents: 100 };
const pay = (id: string): Step => ({ calls: [{ id, tool: 'send_money', arguments: input }] });
const answer: Step = { answer: { said: 'it is done' } };
const script = [read, pay('call-2'), answer];

/** Somebody's own loop over `generateText`, with the SDK's approvals, and nothing of ours but what `bind` returns. */
const ownLoop = async (
  backend: Backend,
  run: Run,
  kept = JSON.stringify([{ role: 'user', content: 'Pay.' }]),
  played: readonly Step[] = script,
): Promise<string> => {
  const messages = JSON.parse(kept) as ModelMessage[];
  const bound = guarded(backend.specs).bind(run, { model: scripted(played) });
  const { responseMessages } = await generateText({ ...bound, messages, stopWhen: isStepCount(9) });
  return JSON.stringify([...messages, ...responseMessages]);
};

const approveIt = async (house: House, run: Run): Promise<void> => {
  const entry = await questionOf(run);
  await approve(house, entry, await signed(entry));
};

const staged = async () => {
  const backend = new Backend();
  const house = await openHouse(subject, backend);
  const run = await beginRun(house);
  const refusals = async () =>
    (await house.guard.orchestrator.ledger(run.taskId))
      .filter(({ kind }) => kind === 'refusal')
      .map(({ code }) => code);
  return { backend, house, run, refusals, [Symbol.asyncDispose]: () => house.guard.close() };
};

const executeOf = (tools: ToolSet, name: string) => {
  const execute = tools[name]?.execute;
  if (execute === undefined) throw new Error(`${name} is not bound`);
  return (given: object, toolCallId: string): Promise<unknown> =>
    Promise.resolve(execute(given as never, { toolCallId, messages: [], context: {} as never }));
};

describe('An agent with a loop of its own', () => {
  it('pauses for people by the SDK’s own approval requests', async () => {
    await using stage = await staged();
    const kept = await ownLoop(stage.backend, stage.run);
    expect(kept).toMatch(/"type":"tool-approval-request".*"reason":"APPROVAL_REQUIRED: /);
    expect(stage.backend.effects).toEqual([]);
  });

  it('pays nothing on the SDK’s approval alone, and reports this to the model', async () => {
    await using stage = await staged();
    const kept = approved(await ownLoop(stage.backend, stage.run));
    expect(await ownLoop(stage.backend, stage.run, kept)).toContain('"value":"Error: APPROVAL_REQUIRED: ');
    expect(stage.backend.effects).toEqual([]);
  });

  it('pays once after a person’s approval, however often it is replayed', async () => {
    await using stage = await staged();
    const kept = approved(await ownLoop(stage.backend, stage.run));
    await approveIt(stage.house, stage.run);
    const ends = [];
    for (let times = 0; times < 3; times += 1) ends.push(await ownLoop(stage.backend, stage.run, kept));
    for (const end of ends) expect(end).toContain('"value":{"sent":100}');
    expect(stage.backend.effects).toEqual(['paid alice 100']);
  });

  it('asks about another payee after the approval', async () => {
    await using stage = await staged();
    const kept = await ownLoop(stage.backend, stage.run);
    await approveIt(stage.house, stage.run);
    const changed = edited(approved(kept), 'call-2', { to: 'mallory', cents: 999_999 });
    expect(await ownLoop(stage.backend, stage.run, changed)).toContain('APPROVAL_REQUIRED');
    const asked = (await stage.run.questions()).map(({ message }) => message.payload['action']);
    expect(asked).toMatchObject([{ arguments: { to: 'mallory' } }]);
    expect(stage.backend.effects.filter((effect) => effect.includes('mallory'))).toEqual([]);
  });

  it('pays once when replayed messages name the call differently', async () => {
    await using stage = await staged();
    await ownLoop(stage.backend, stage.run);
    await approveIt(stage.house, stage.run);
    const again = await ownLoop(stage.backend, stage.run, undefined, [read, pay('call-9'), answer]);
    expect(again).toContain('"toolCallId":"call-9"');
    expect(stage.backend.effects).toEqual(['paid alice 100']);
  });
});

describe('An `execute` called without any approval', () => {
  it('runs no tool that waits for a person', async () => {
    await using stage = await staged();
    const { tools } = guarded(stage.backend.specs).bind(stage.run, { model: scripted([]) });
    await executeOf(tools, 'read_balance')({ account: 'a-1' }, 'call-1');
    const execute = executeOf(tools, 'send_money');
    await expect(execute(input, 'call-2')).rejects.toThrow('APPROVAL_REQUIRED');
    await approveIt(stage.house, stage.run);
    expect(await Promise.all([execute(input, 'call-2'), execute(input, 'call-2')])).toEqual([
      { sent: 100 },
      { sent: 100 },
    ]);
    await expect(execute({ to: 'mallory', cents: 1 }, 'call-2')).rejects.toThrow('APPROVAL_REQUIRED');
    expect(stage.backend.effects).toEqual(['paid alice 100']);
  });

  it('records its result even when the caller drops it', async () => {
    await using stage = await staged();
    const { tools } = guarded(stage.backend.specs).bind(stage.run, { model: scripted([]) });
    await executeOf(tools, 'read_balance')({ account: 'a-1' }, 'call-1');
    const { evidence } = await stage.run.progress();
    expect(evidence.map(({ payload }) => payload)).toEqual([{ account: 'a-1', cents: 1200 }]);
  });

  it('refuses input that does not fit its schema, and says where', async () => {
    await using stage = await staged();
    const { tools } = guarded(stage.backend.specs).bind(stage.run, { model: scripted([]) });
    await expect(executeOf(tools, 'read_balance')({ account: 7 }, 'call-1')).rejects.toThrow(
      'OUTPUT_INVALID: "/arguments/account" must be a string, was a number',
    );
  });
});
