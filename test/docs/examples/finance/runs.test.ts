import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../docs/examples/finance/records.ts';
import { inWords } from '../../../../docs/examples/finance/report.ts';
import { expected, isExpected, perform, runs, type Run } from '../../../../docs/examples/finance/runs.ts';
import { checkDocuments, ports } from './parts.ts';

const made = async (run: Run) => {
  const journal: Entry[] = [];
  const report = await perform(run, { keep: (entry) => journal.push(entry) }, ports());
  return { journal, report };
};

describe.each(runs)('The finance case of UAICP: %s', (run) => {
  it('has the expected end', async () => {
    const { report } = await made(run);
    expect(report.end).toEqual(expected[run]);
    expect(isExpected(run, report)).toBe(true);
  });

  it('leaves a journal with at most one reversal', async () => {
    const { journal, report } = await made(run);
    expect(journal.map(({ kind }) => kind)).toEqual(run === 'delivered' ? ['wired', 'reversed'] : ['wired']);
    if (run !== 'delivered') expect(report.after).toEqual(report.before);
  });

  it('leaves a ledger that verifies under a signed checkpoint and replays', async () => {
    const { report } = await made(run);
    expect(report.ledger).toMatchObject({ isIntact: true, isReplayed: true });
    expect(report.ledger.records).toBeGreaterThan(8);
  });

  it('emits valid documents', async () => {
    const { report } = await made(run);
    expect(report.documents.length).toBeGreaterThan(5);
    await checkDocuments(report.documents);
  });

  it('prints the expected report', async () => {
    const { report } = await made(run);
    await expect(`${inWords(report)}\n`).toMatchFileSnapshot(`printed/${run}.txt`);
  });
});

describe('The reports of the finance case', () => {
  it('show that 125,000.00 USD move back, and nothing else', async () => {
    const { report } = await made('delivered');
    const balances = ({ accounts }: typeof report.before) => accounts.map(({ cents }) => cents);
    expect(balances(report.before)).toEqual([27_500_000, 30_500_000]);
    expect(balances(report.after)).toEqual([40_000_000, 18_000_000]);
  });

  it('show the approver the amount, the tier and all evidence before the signature', async () => {
    const { report } = await made('unapproved');
    const shown = report.shown.join('\n');
    for (const part of [
      '125,000.00 USD',
      'write_high_risk',
      'ticket.read {',
      'ledger.snapshot {',
      'beneficiary.read {',
    ])
      expect(shown).toContain(part);
  });

  it('record a refusal of each attempt', async () => {
    const { report } = await made('forged');
    const tokens = report.answers.map(({ came }) => `refused: ${came}`);
    expect(report.decided.filter((line) => line.startsWith('refused'))).toEqual(tokens);
    expect(tokens).toHaveLength(6);
  });

  it('show that no approver is asked about a write without its evidence', async () => {
    const { report } = await made('incomplete');
    expect(report).toMatchObject({ shown: [], decided: [], answers: [] });
    expect(report.explanation).toContain('requires a result of tool beneficiary.read before each write');
  });

  it('differ from the expected end after any deviation', async () => {
    const { report } = await made('delivered');
    expect(isExpected('forged', report)).toBe(false);
    expect(isExpected('delivered', { ...report, ledger: { ...report.ledger, isIntact: false } })).toBe(false);
  });
});
