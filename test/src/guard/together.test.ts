import { guardTool } from 'agentcharter/guard';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { answer, openBank } from './bank.ts';

/** Tools that somebody outside lets go on: one waits, one asks a person. */
const slow = (deadline = 60_000) => {
  const gate = new AbortController();
  const released = new Promise((resolve) => gate.signal.addEventListener('abort', resolve));
  const input = z.object({});
  const wait = guardTool(
    { name: 'read', input, execute: async () => released.then(() => ({ waited: true })) },
    { tier: 'read_only', deadline },
  );
  const ask = guardTool(
    {
      name: 'note',
      input,
      execute: (_, { answer: said, needsHuman }) =>
        said === null ? needsHuman({ explanation: 'Which?' }) : { said: said.content },
    },
    { tier: 'read_only' },
  );
  const pay = guardTool({ name: 'pay', input, execute: () => ({}) }, { tier: 'write_low_risk' });
  return { tools: [wait, ask, pay], release: () => gate.abort() };
};

describe('Runs and calls side by side', () => {
  it('a run that waits for its agent keeps nothing from another, however few may work at once', async () => {
    const bank = openBank({}, { concurrency: 1 });
    await using _ = bank.guard;
    await bank.begin();
    const run = await bank.begin();
    expect(await run.call('read', {})).toMatchObject({ status: 'done' });
  });

  it('a call that is being made is waited for, while a person is asked about another', async () => {
    const { tools, release } = slow();
    const bank = openBank({}, { tools });
    await using _ = bank.guard;
    const run = await bank.begin();
    const [waiting, asking] = [run.call('read', {}, { ref: 'a' }), run.call('note', {}, { ref: 'b' })];
    expect(await asking).toMatchObject({ status: 'paused', questions: [{ question: { kind: 'tool' } }] });
    release();
    expect(await waiting).toMatchObject({ status: 'done', result: { waited: true } });
    await answer(bank, run, { type: 'instruction', content: 'this one' });
    expect(await run.call('note', {}, { ref: 'b' })).toMatchObject({ result: { said: 'this one' } });
  });

  it('what came too late to count is not taken for done by the next plan', async () => {
    const { tools, release } = slow(40);
    const bank = openBank({}, { tools });
    await using _ = bank.guard;
    const run = await bank.begin();
    expect(await run.call('read', {}, { ref: 'a' })).toMatchObject({ status: 'repairing' });
    release();
    const kinds = async () => (await bank.guard.orchestrator.ledger(run.taskId)).map(({ kind }) => kind);
    await expect.poll(kinds).toContain('orphan');
    void run.call('note', {}, { ref: 'b' });
    await expect.poll(() => run.questions()).toHaveLength(1);
    expect((await run.progress()).calls.map(({ tool }) => tool)).toEqual(['note']);
  });

  it('a call that was done in an attempt before is made again in another process, and nobody is told of a repair', async () => {
    const database = memoryDatabase();
    const first = openBank({}, { store: database.connect() });
    const begun = await first.begin();
    await begun.call('read', {}, { ref: 'a' });
    first.breaks.push('read');
    expect(await begun.call('read', { of: 'b' }, { ref: 'b' })).toMatchObject({ status: 'repairing' });
    await first.guard.close();
    const bank = openBank({}, { store: database.connect() });
    await using _ = bank.guard;
    const run = await bank.guard.resume(begun.taskId);
    expect(await run.call('read', {}, { ref: 'a' })).toMatchObject({ status: 'done' });
    expect(bank.done).toEqual(['read all']);
  });

  it('a call that a person’s plan has no place for stays refused, however often it is made', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const call = () => run.call('read', { of: 'a' }, { ref: 'a', confidence: 0.1 });
    expect(await call()).toMatchObject({ status: 'paused', questions: [{ question: { kind: 'plan' } }] });
    const calls = [{ tool: 'read', arguments: { of: 'b' }, ref: 'b' }];
    const value = { canProceed: true, confidence: 1, explanation: 'Only b.', calls };
    await answer(bank, run, { type: 'edit', content: { value } });
    expect(await call()).toMatchObject({ status: 'refused', code: 'HUMAN_REJECTED' });
    expect(await call()).toMatchObject({ status: 'refused', code: 'HUMAN_REJECTED' });
    expect(bank.done).toEqual(['read b']);
  });
});

describe('What is planned again', () => {
  it('leaves out a call whose tool its contract does not name any more', async () => {
    const database = memoryDatabase();
    const first = openBank({}, { store: database.connect() });
    const begun = await first.begin();
    await begun.call('read', {}, { ref: 'a' });
    first.breaks.push('read');
    expect(await begun.call('read', { of: 'b' })).toMatchObject({ status: 'repairing' });
    await first.guard.close();
    const bank = openBank({ tools: ['note'] }, { store: database.connect() });
    await using _ = bank.guard;
    const run = await bank.guard.resume(begun.taskId);
    expect(await run.call('note', { line: 'a' })).toMatchObject({ status: 'done' });
    expect(bank.done).toEqual(['note a']);
  });

  it('and was too deep for a correction is named; what came with it is made', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    expect(await run.call('read', { of: 7 })).toMatchObject({ code: 'OUTPUT_INVALID' });
    const deep = JSON.parse(`${'{"a":'.repeat(62)}1${'}'.repeat(62)}`) as object;
    const [bad, good] = await Promise.all([run.call('read', { deep }), run.call('read', { of: 'b' })]);
    expect(bad).toMatchObject({ code: 'OUTPUT_INVALID' });
    expect(good).toMatchObject({ status: 'done' });
  });
});
