import { describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../../src/core/ledger/index.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { highRiskRefunds, reasons, refunds, sentence } from './refunds.ts';

const shownIn = (records: readonly LedgerRecord[], type: string) =>
  records.find(({ fact }) => fact?.type === type)?.brought.shown;

const lost = () => Promise.reject(new Error('the answer was lost'));

describe('an answer', () => {
  it.each(['approve', 'reject', 'comment'] as const)(
    'seals the sentence and the reasons: %s',
    async (type) => {
      const { submit, answer, orchestrator } = refunds();
      const taskId = await submit();
      await answer(type, type === 'comment' ? 'Which order?' : undefined);
      const records = await orchestrator.ledger(taskId);
      expect(shownIn(records, 'human.responded')).toEqual({ summary: sentence, reasons });
      if (type === 'comment') await answer('reject');
    },
  );

  it('by a signed token seals them as well', async () => {
    const { submit, answer, orchestrator } = highRiskRefunds();
    const taskId = await submit();
    await answer('approve', undefined, { approval: 'kim' });
    expect(shownIn(await orchestrator.ledger(taskId), 'approval.granted')).toEqual({
      summary: sentence,
      reasons: ['refund is a high-risk write: a person approves each one.'],
    });
  });

  it('about a write of unknown outcome seals its sentence', async () => {
    const { submit, question, answer, orchestrator } = refunds({ call: lost }, { policy: 'allow' });
    const taskId = await submit();
    expect((await question()).question.kind).toBe('doubt');
    await answer('reject');
    expect(shownIn(await orchestrator.ledger(taskId), 'human.responded')).toEqual({
      summary: sentence,
      reasons: ['Error: the answer was lost'],
    });
  });

  it('cannot be given another sentence later', async () => {
    const { submit, answer, orchestrator } = refunds();
    const taskId = await submit();
    await answer('approve');
    const records = await orchestrator.ledger(taskId);
    const seq = records.findIndex(({ fact }) => fact?.type === 'human.responded');
    const record = records[seq]!;
    const shown = { summary: 'Refund 1 EUR for order o-7.', reasons };
    const edited = records.with(seq, { ...record, brought: { ...record.brought, shown } });
    expect(await verifyLedger(records)).toMatchObject({ intact: true });
    expect((await verifyLedger(edited)).findings).toEqual([
      { seq, code: 'document_edited', message: 'shown is not what was sealed' },
    ]);
  });
});
