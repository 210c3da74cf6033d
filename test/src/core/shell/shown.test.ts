import { describe, expect, it } from 'vitest';
import { verifyLedger } from '../../../../src/core/ledger/index.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { highRiskRefunds, reasons, refunds, sentence } from './refunds.ts';
import { scene } from './scene.ts';
import { call, draft, plan, readTool, writeTool } from './scripted.ts';

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

describe('what is asked about has a member called question', () => {
  it.each([
    ['a diff', { diff: { payload: { 'agentcharter:question': 'What is 3 + 1?' } } }],
    ['a draft', { value: draft({ question: 'What is 3 + 1?', answer: '4' }) }],
  ])('is a draft: all of it is shown, and %s changes that member', async (_, content) => {
    const drafted = draft({ question: 'What is 2 + 2?', answer: '4' }, { confidence: 0.2 });
    const { submit, question, answer, orchestrator } = scene({ model: [plan(), drafted] });
    const taskId = await submit();
    const { message } = await question();
    expect(Object.keys(message.payload)).toEqual(['agentcharter:question', 'answer', 'question']);
    expect(message.payload).toMatchObject({
      'agentcharter:question': 'What is 2 + 2?',
      question: { kind: 'draft' },
    });
    await answer('edit', content);
    const settled = await orchestrator.settled(taskId);
    expect(settled.message.payload).toEqual({ question: 'What is 3 + 1?', answer: '4' });
  });

  it('is a draft with a member of the other name as well: both are shown, and given back', async () => {
    const payload = { question: 'Pay Eve?', 'agentcharter:question': 'Is it fine?' };
    const made = scene({ model: [plan(), draft(payload, { confidence: 0.2 })] });
    const taskId = await made.submit();
    expect((await made.question()).message.payload).toMatchObject({
      'agentcharter:question': 'Pay Eve?',
      'agentcharter:agentcharter:question': 'Is it fine?',
    });
    await expect(made.answer('edit', { diff: { payload: { question: 'Which?' } } })).rejects.toThrow(
      /not both/,
    );
    await made.answer('edit', { diff: { payload: { more: 1 } } });
    expect((await made.orchestrator.settled(taskId)).message.payload).toEqual({ ...payload, more: 1 });
  });

  it('is what a tool asks', async () => {
    const asks = readTool('ask', {
      call: (_, { answer, needsHuman }) =>
        answer === null
          ? needsHuman({ explanation: 'It is open.', payload: { question: 'Which?', options: ['a'] } })
          : {},
    });
    const { submit, question } = scene({ model: [plan([call('ask')])], tools: [asks] });
    await submit();
    expect((await question()).message.payload).toMatchObject({
      'agentcharter:question': 'Which?',
      options: ['a'],
      question: { kind: 'tool' },
    });
  });
});

/** A write that waits for a person, though the policy allows it. */
const asked = async () => {
  const made = scene({
    model: [plan([call('pay', { eur: 180 })]), draft()],
    tools: [writeTool('pay', { tier: 'write_high_risk' })],
    policy: () => ({ verdict: 'allow', reasons: ['support may pay'] }),
  });
  const taskId = await made.submit();
  return { ...made, listed: async () => (await made.orchestrator.task(taskId)).calls };
};

describe('a model reads of a write that a person', () => {
  it('rejected: what the person said, and not why the policy allows it', async () => {
    const { answer, listed } = await asked();
    await answer('reject', 'Offer a voucher.');
    expect(await listed()).toMatchObject([{ status: 'refused', reasons: ['dana said: "Offer a voucher."'] }]);
  });

  it('changed: who did, though the model gave the call no ref', async () => {
    const { answer, listed } = await asked();
    await answer('edit', { value: { eur: 120 } });
    expect(await listed()).toMatchObject([{ ref: null, arguments: { eur: 120 }, changedBy: 'dana' }]);
  });
});
