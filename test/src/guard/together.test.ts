import { guardTool } from 'agentcharter/guard';
import { verifyLedger } from 'agentcharter/ledger';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { answer, openBank } from './bank.ts';

/** Tools that a test releases: one waits, one asks a person. */
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

describe('Parallel runs and calls', () => {
  it('do not use a slot while a run waits for its agent', async () => {
    const bank = openBank({}, { concurrency: 1 });
    await using _ = bank.guard;
    await bank.begin();
    const run = await bank.begin();
    expect(await run.call('read', {})).toMatchObject({ status: 'done' });
  });

  it('return a call in progress while a person is asked about another', async () => {
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

  it('do not count a late result as done in the next plan', async () => {
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

  it('repeat a call of an earlier attempt in another process, and report no repair', async () => {
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

  it('keep refusing a call that a person removed from the plan', async () => {
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

/** A run that wrote, and then read something of which it was unsure; the person reads another. */
const replaced = async (database = memoryDatabase()) => {
  const bank = openBank({}, { store: database.connect() });
  const run = await bank.begin();
  await run.call('note', { line: 'a' }, { ref: 'n' });
  const unsure = { ref: 'a', confidence: 0.1 };
  expect(await run.call('read', { of: 'a' }, unsure)).toMatchObject({ status: 'paused' });
  const calls = [{ tool: 'read', arguments: { of: 'b' }, ref: 'b' }];
  const value = { canProceed: true, confidence: 1, explanation: 'Only b.', calls };
  await answer(bank, run, { type: 'edit', content: { value } });
  await expect.poll(() => bank.done).toEqual(['note a', 'read b']);
  return { bank, run };
};

describe('Further calls that a person replaces', () => {
  it.each(['in the same process', 'after a restart'])('reject those alone, %s', async (where) => {
    const database = memoryDatabase();
    const first = await replaced(database);
    if (where === 'after a restart') await first.bank.guard.close();
    const bank = where === 'after a restart' ? openBank({}, { store: database.connect() }) : first.bank;
    await using _ = bank.guard;
    const run = await bank.guard.resume(first.run.taskId);
    expect(await run.call('note', { line: 'a' }, { ref: 'n' })).toMatchObject({ status: 'done' });
    expect(await run.call('read', { of: 'b' }, { ref: 'b' })).toMatchObject({ status: 'done' });
    expect(await run.call('read', { of: 'a' }, { ref: 'a' })).toMatchObject({ code: 'HUMAN_REJECTED' });
  });

  it('leave the plan as it is: the next one contains its calls', async () => {
    const { bank, run } = await replaced();
    await using _ = bank.guard;
    bank.breaks.push('read');
    expect(await run.call('read', { of: 'c' })).toMatchObject({ status: 'repairing' });
    bank.breaks.length = 0;
    expect(await run.call('read', { of: 'd' })).toMatchObject({ status: 'done' });
    expect((await run.progress()).calls.map(({ tool }) => tool)).toEqual(['note', 'read', 'read']);
  });
});

describe('A plan that a person replaces', () => {
  it('refuses no call of an earlier attempt that it contains under no reference', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    const note = () => run.call('note', { line: 'a' }, { ref: 'n' });
    await note();
    bank.breaks.push('read');
    expect(await run.call('read', { of: 'b' })).toMatchObject({ status: 'repairing' });
    const unsure = run.call('read', { of: 'c' }, { ref: 'c', confidence: 0.1 });
    expect(await unsure).toMatchObject({ status: 'paused' });
    const calls = [
      { tool: 'note', arguments: { line: 'a' } },
      { tool: 'read', arguments: { of: 'd' } },
    ];
    const value = { canProceed: true, confidence: 1, explanation: 'Read d.', calls };
    await answer(bank, run, { type: 'edit', content: { value } });
    await expect.poll(() => bank.done).toEqual(['note a', 'read d']);
    expect(await note()).toMatchObject({ status: 'done' });
    expect(await run.call('read', { of: 'c' }, { ref: 'c' })).toMatchObject({ code: 'HUMAN_REJECTED' });
  });
});

describe('A new plan', () => {
  it('omits a call whose tool the contract no longer names', async () => {
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

  it('refuses a call too deep for a correction, and its siblings are made', async () => {
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

it('edits each of several identical calls, and makes the write once', async () => {
  const policy = { decide: () => ({ verdict: 'needs_review' as const, reasons: ['a person checks'] }) };
  const bank = openBank({}, { policy });
  await using _ = bank.guard;
  const run = await bank.begin();
  const both = () => Promise.all(['A', 'B'].map((ref) => run.call('note', { line: '1' }, { ref })));
  expect(await both()).toMatchObject([{ status: 'paused' }, { status: 'paused' }]);
  await answer(bank, run, { type: 'edit', content: { value: { line: '2' } } });
  const changed = { by: 'kim', arguments: { line: '2' } };
  expect(await both()).toMatchObject([
    { status: 'done', changed },
    { status: 'done', changed, isRepeated: true, of: 'A' },
  ]);
  expect(bank.done).toEqual(['note 2']);
  expect(await verifyLedger(await bank.guard.orchestrator.ledger(run.taskId))).toMatchObject({
    findings: [],
  });
});
