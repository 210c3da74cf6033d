import { describe, expect, it } from 'vitest';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { answer, openBank } from './bank.ts';

/** What a binding says of an id that a model server chose. */
const reused = { ref: 'call_0', reusesRef: true } as const;
const review = { policy: { decide: () => ({ verdict: 'needs_review' as const, reasons: [] }) } };

describe('An id that a model server gives to several calls', () => {
  it('loses none of them, one after the other and at once', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    for (const line of ['a', 'b'])
      expect(await run.call('note', { line }, reused)).toMatchObject({ status: 'done', result: { line } });
    const both = await Promise.all(['c', 'd'].map((line) => run.call('note', { line }, reused)));
    expect(both).toMatchObject(['c', 'd'].map((line) => ({ status: 'done', result: { line } })));
    expect(await run.call('read', {}, reused)).toMatchObject({ status: 'done' });
    expect(bank.done).toEqual(['note a', 'note b', 'note c', 'note d', 'read all']);
  });

  it('is one call for each content, also after a restart', async () => {
    const database = memoryDatabase();
    const before = openBank({}, { store: database.connect() });
    const { taskId, ...run } = await before.begin().then(async (begun) => ({
      taskId: begun.taskId,
      first: await begun.call('note', { line: 'a' }, reused),
      second: await begun.call('note', { line: 'b' }, reused),
    }));
    await before.guard.close();
    const after = openBank({}, { store: database.connect() }, before.done);
    await using _ = after.guard;
    const resumed = await after.guard.resume(taskId);
    expect(await resumed.call('note', { line: 'b' }, reused)).toEqual(run.second);
    expect(await resumed.call('note', { line: 'a' }, reused)).toEqual(run.first);
    await resumed.call('note', { line: 'c' }, reused);
    expect(after.done).toEqual(['note a', 'note b', 'note c']);
  });

  it('carries no approval to other content', async () => {
    const bank = openBank({}, review);
    await using _ = bank.guard;
    const run = await bank.begin();
    await run.call('note', { line: 'a' }, reused);
    await answer(bank, run, { type: 'approve' });
    expect(await run.call('note', { line: 'b' }, reused)).toMatchObject({ status: 'paused' });
    expect(await run.call('note', { line: 'a' }, reused)).toMatchObject({ status: 'done' });
    expect(bank.done).toEqual(['note a']);
  });

  it('is refused for other content where nothing says that it may be reused', async () => {
    const bank = openBank();
    await using _ = bank.guard;
    const run = await bank.begin();
    await run.call('note', { line: 'a' }, { ref: 'call_0' });
    const changed = await run.call('note', { line: 'b' }, { ref: 'call_0' });
    expect(changed).toMatchObject({ status: 'refused', code: 'PROPOSAL_CHANGED' });
  });
});
