import { createAgent } from 'langchain';
import { charterMiddleware, guardTools, runGraph, taskCheckpointer } from 'agentcharter/adapters/langchain';
import { describe, expect, it } from 'vitest';
import { approve, Backend, beginRun, openHouse, questionOf, signed } from '../backend.ts';
import type { Step } from '../subject.ts';
import { scripted, toolOf } from './scripted.ts';
import { subject } from './subject.ts';

const script: readonly Step[] = [
  { calls: [{ id: 'call-1', tool: 'read_balance', arguments: { account: 'a-1' } }] },
  { calls: [{ id: 'call-2', tool: 'send_money', arguments: { to: 'alice', cents: 100 } }] },
  { answer: { said: 'paid' } },
];
const saying = (content: string) => ({ messages: [{ role: 'user', content }] });

const staged = async () => {
  const backend = new Backend();
  const house = await openHouse(subject, backend);
  const run = await beginRun(house);
  const guarded = guardTools(
    backend.specs.map((spec) => toolOf(spec)),
    Object.fromEntries(backend.specs.map(({ name, contract }) => [name, contract])),
  );
  /** The agent as each process makes it: nothing but the task is kept. */
  const agent = () =>
    createAgent({
      model: scripted(script),
      middleware: [charterMiddleware(guarded, run)],
      checkpointer: taskCheckpointer(run),
    });
  const saved = async () =>
    (await house.guard.orchestrator.ledger(run.taskId)).filter(({ kind }) => kind === 'agent');
  return { backend, house, run, agent, saved, [Symbol.asyncDispose]: () => house.guard.close() };
};

describe('A graph with a task checkpointer', () => {
  it('continues where it was interrupted, whatever its input is', async () => {
    await using stage = await staged();
    const { run, house, backend } = stage;
    expect(await runGraph(stage.agent(), run, saying('Pay Alice.'))).toMatchObject({ status: 'paused' });
    const entry = await questionOf(run);
    await approve(house, entry, await signed(entry));
    const agent = stage.agent();
    expect(await runGraph(agent, run, saying('Pay Bob.'))).toEqual({
      status: 'delivered',
      payload: { said: 'paid' },
    });
    expect(backend.effects).toEqual(['paid alice 100']);
    const state = await agent.graph.getState({ configurable: { thread_id: run.taskId } });
    expect(JSON.stringify(state.values)).not.toContain('Pay Bob.');
  });

  it('saves one checkpoint for each pause, and not the whole thread', async () => {
    await using stage = await staged();
    await runGraph(stage.agent(), stage.run, saying('Pay Alice.'));
    await runGraph(stage.agent(), stage.run, saying('Pay Alice.'));
    const [first, ...more] = await stage.saved();
    expect(first?.brought.agentState).toMatchObject({
      checkpoints: { '': { id: expect.any(String) as string } },
    });
    expect(more.length).toBeLessThanOrEqual(1); // a resumed interrupt may be written again
  });

  it('refuses a saved state that is not its own', async () => {
    await using stage = await staged();
    await stage.run.saveState({ state: 'of another framework' });
    await expect(runGraph(stage.agent(), stage.run, saying('Pay Alice.'))).rejects.toMatchObject({
      code: 'document_invalid',
    });
    expect(stage.backend.effects).toEqual([]);
  });
});
