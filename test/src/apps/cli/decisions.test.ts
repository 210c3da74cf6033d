import { describe, expect, it } from 'vitest';
import { Decisions } from '../../../../src/apps/cli/decisions.ts';

const digest = `sha256:${'0'.repeat(64)}`;
const proposal = {
  fact: { type: 'plan.proposed' },
  brought: { calls: [{ id: 'c', digest, tool: 're\u202efund', arguments: { order: 'o\u202e7' } }] },
};
const shown = { summary: 'Refund order o-7.', reasons: ['refunds need a person'] };
const granted = (authority: string, brought: object = {}) => ({
  fact: { type: 'approval.granted', digest, authority },
  brought,
});

const linesOf = (...records: readonly unknown[]): readonly string[] => {
  const decisions = new Decisions();
  return records.flatMap((record) => decisions.of(record));
};

describe('The decisions of a ledger', () => {
  it('say which words a signed approval was given on', () => {
    expect(linesOf(proposal, granted('approval', { shown }))).toEqual([
      'approve, signed: Refund order o-7.',
      String.raw`re\u202efund: order "o\u202e7"`,
      'asked because: refunds need a person',
    ]);
  });

  it('say which authority approved, and why', () => {
    expect(linesOf(proposal, granted('system', { reasons: ['small'] }))).toEqual([
      'approve, as system',
      String.raw`re\u202efund: order "o\u202e7"`,
      'small',
    ]);
  });

  it('say what a person changed, and to what', () => {
    const fact = { type: 'human.responded', question: `approval:${digest}`, feedback: 'edit' };
    const calls = [
      { id: 'c', digest: `sha256:${'1'.repeat(64)}`, tool: 'refund', arguments: { order: 'o-8' } },
    ];
    expect(linesOf(proposal, { fact, brought: { shown, calls } })).toEqual([
      'edit: Refund order o-7.',
      String.raw`re\u202efund: order "o\u202e7"`,
      'changed to: refund: order "o-8"',
      'asked because: refunds need a person',
    ]);
  });

  it('say why an output was rejected', () => {
    const explanation = 'The model’s plan could not be read: it lacks confidence.';
    expect(linesOf({ fact: { type: 'output.rejected' }, brought: { explanation } })).toEqual([explanation]);
  });

  it('read a ledger that has no words, and records that cannot be read', () => {
    const answer = { type: 'human.responded', question: `approval:${digest}`, feedback: 'reject' };
    expect(linesOf(null, 7, { fact: answer, brought: {} }, { fact: { type: 'odd' }, brought: {} })).toEqual([
      'reject',
    ]);
    expect(linesOf({ fact: { type: 'policy.decided' }, brought: { calls: 7, reasons: 7 } })).toEqual([]);
  });

  it('bound a line', () => {
    const long = { summary: `x${'😀'.repeat(1_000)}`, reasons: [] };
    const [line = ''] = linesOf(granted('approval', { shown: long }));
    expect(line.length).toBeLessThanOrEqual(400);
    expect(line).toMatch(/😀…$/);
  });
});
