import { describe, expect, it } from 'vitest';
import { given, highRiskRefunds, reasons, refunds, sentence, type More } from './refunds.ts';
import { call, draft, plan, writeTool } from './scripted.ts';

const redact = (document: unknown) =>
  typeof document === 'string' ? document.replace('o-7', '…') : document;

describe('a question of approval', () => {
  it('is the sentence of the tool, with the reasons of the policy', async () => {
    const { submit, question, answer } = refunds();
    await submit();
    const { question: open, message } = await question();
    expect(message.explanation).toBe(sentence);
    expect(open).toMatchObject({ summary: sentence, reasons, consequences: { approve: 'The write is made, as shown.' } }); // prettier-ignore
    expect(message.payload['action']).toMatchObject({ summary: sentence });
    await answer('reject');
  });

  it('names the tool and its arguments if the tool has no sentence', async () => {
    const { submit, question, answer } = refunds({}, { tools: [writeTool('refund')] });
    await submit();
    const { question: open, message } = await question();
    expect(message.explanation).toBe('Call refund with amount 180, order "o-7".');
    expect(open.summary).toBe(message.explanation);
    expect(message.payload['action']).not.toHaveProperty('summary');
    await answer('reject');
  });

  it('says why a person approves a high-risk write that the policy allows', async () => {
    const { submit, question, answer } = highRiskRefunds({ authorities: ['human'] });
    await submit();
    const { question: open } = await question();
    expect(open.reasons).toEqual(['refund is a high-risk write: a person approves each one.']);
    expect(open.consequences.approve).toBe('The write is made, as shown.');
    await answer('reject');
  });

  it('says that approval takes a signed token, of whom it does not count, and how many it takes', async () => {
    const { submit, question, answer } = highRiskRefunds({ approvers: 2 });
    await submit();
    const { question: open } = await question();
    expect(open.reasons).toEqual(['refund is a high-risk write: 2 people approve each one.']);
    expect(open.consequences.approve).toBe(
      'The write is made, as shown, once 2 people have approved it. This takes a signed approval, of someone other than acme.',
    );
    await answer('reject');
  });

  it('excludes no one in its words where the task class lets the owner approve', async () => {
    const { submit, question, answer } = highRiskRefunds({ selfApproval: true });
    await submit();
    expect((await question()).question.consequences.approve).toBe(
      'The write is made, as shown. This takes a signed approval.',
    );
    await answer('reject');
  });

  it('shows every character of an argument that the sentence quotes', async () => {
    const proposed = plan([call('refund', { ...given, order: 'o\u202e7' })]);
    const { submit, question, answer } = refunds({}, { model: [proposed, draft()] });
    await submit();
    const shown = String.raw`Refund 180 EUR for order o\u202e7.`;
    const { message, question: open } = await question();
    expect([message.explanation, open.summary]).toEqual([shown, shown]);
    await answer('reject');
  });

  it('shows the sentence after `redact`', async () => {
    const { submit, question, answer } = refunds({}, { options: { redact } });
    await submit();
    expect((await question()).question.summary).toBe('Refund 180 EUR for order ….');
    await answer('reject');
  });

  it('has the sentence of the edited arguments after an edit', async () => {
    const { submit, question, answer } = highRiskRefunds();
    await submit();
    await answer('edit', { value: { ...given, amount: 90 } });
    expect((await question()).question.summary).toBe('Refund 90 EUR for order o-7.');
    await answer('reject');
  });
});

describe('a sentence that its tool cannot say', () => {
  it.each<[string, (input: unknown) => unknown, string]>([
    ['an error', () => { throw new Error('no order'); }, 'Error: no order'], // prettier-ignore
    ['nothing', () => '', 'expected a text that is not blank'],
    ['a promise', async () => sentence, 'expected a text'],
    ['two lines', () => 'Refund.\nAnd more.', 'expected one line'],
    ['201 characters', () => 'x'.repeat(201), 'expected at most 200 characters'],
  ])('refuses the write before anyone is asked: %s', async (_, broken, message) => {
    const scenario = refunds({ summary: broken as () => string });
    const { reasons: codes, message: end } = await scenario.ended(await scenario.submit());
    expect(codes.map(({ code }) => code)).toEqual(['GUARD_ERROR']);
    expect(end.explanation).toContain('summary of tool "refund" failed: ');
    expect(end.explanation).toContain(message);
    expect(scenario.failedCallbacks).toMatchObject([
      { details: { callback: 'summary of tool "refund"', code: 'GUARD_ERROR' } },
    ]);
    expect(scenario.asked).toEqual([]);
    expect(scenario.invocations).toEqual([]);
  });

  it('refuses an edit, and the question stays open', async () => {
    const fussy: More = {
      summary: (input) => {
        if (input['amount'] === 90) throw new Error('no such amount');
        return sentence;
      },
    };
    const { submit, answer, question } = refunds(fussy);
    await submit();
    await expect(answer('edit', { value: { ...given, amount: 90 } })).rejects.toMatchObject({
      code: 'feedback_refused',
      details: { code: 'GUARD_ERROR' },
    });
    expect((await question()).question.summary).toBe(sentence);
    await answer('reject');
  });
});
