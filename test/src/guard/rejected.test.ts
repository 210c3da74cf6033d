import { describe, expect, it } from 'vitest';
import { answer, openBank, type Bank } from './bank.ts';

const review = {
  policy: { decide: () => ({ verdict: 'needs_review' as const, reasons: ['a person checks'] }) },
};

/** A run in which Kim rejected a note. */
const rejecting = async (bank: Bank) => {
  const run = await bank.begin();
  await run.call('note', { line: 'a' }, { ref: 'c1' });
  await answer(bank, run, { type: 'reject', content: 'never advertise' });
  return run;
};

const refused = { status: 'refused', code: 'HUMAN_REJECTED' } as const;

describe('A call that a person rejected', () => {
  it('is refused under another reference, in their words, and asks nobody', async () => {
    const bank = openBank({}, review);
    await using _ = bank.guard;
    const run = await rejecting(bank);
    for (const options of [{ ref: 'c1' }, { ref: 'c2' }, {}]) {
      const again = await run.call('note', { line: 'a' }, options);
      expect(again).toMatchObject(refused);
      expect(JSON.stringify(again)).toContain(String.raw`kim said: \"never advertise\"`);
      expect(await run.questions()).toEqual([]);
    }
    expect(bank.done).toEqual([]);
    const records = await bank.guard.orchestrator.ledger(run.taskId);
    expect(records.filter(({ kind, code }) => kind === 'refusal' && code === refused.code)).toHaveLength(2);
  });

  it('may ask with other arguments', async () => {
    const bank = openBank({}, review);
    await using _ = bank.guard;
    const run = await rejecting(bank);
    expect(await run.call('note', { line: 'b' }, { ref: 'c2' })).toMatchObject({ status: 'paused' });
  });

  it('may ask again after a person said more than yes or no', async () => {
    const bank = openBank({ limits: { revisions: 3 } }, review);
    await using _ = bank.guard;
    const run = await rejecting(bank);
    await run.call('note', { line: 'b' }, { ref: 'c2' });
    await answer(bank, run, { type: 'instruction', content: 'the first one was right' });
    expect(await run.call('note', { line: 'a' }, { ref: 'c3' })).toMatchObject({ status: 'paused' });
  });

  it('takes its tool away once people rejected three of them', async () => {
    const bank = openBank({}, review);
    await using _ = bank.guard;
    const run = await rejecting(bank);
    for (const line of ['b', 'c']) {
      expect(await run.call('note', { line }, { ref: line })).toMatchObject({ status: 'paused' });
      await answer(bank, run, { type: 'reject' });
    }
    const fourth = await run.call('note', { line: 'd' }, { ref: 'd' });
    expect(fourth).toMatchObject(refused);
    expect(JSON.stringify(fourth)).toContain('People rejected 3 calls of this tool');
    expect(await run.call('read', {})).toMatchObject({ status: 'done' });
    expect(await run.call('pay', { to: 'a' })).toMatchObject({ status: 'paused' });
  });

  it('may ask in another task', async () => {
    const bank = openBank({}, review);
    await using _ = bank.guard;
    await rejecting(bank);
    const other = await bank.begin();
    expect(await other.call('note', { line: 'a' }, { ref: 'c1' })).toMatchObject({ status: 'paused' });
  });
});
