import { describe, expect, it } from 'vitest';
import { fromJsonLines, replay, toJsonLines, verifyLedger } from '../../../../src/core/ledger/index.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import {
  fixtureNames,
  fixtures,
  ledgerLines,
  ledgerText,
  storeCopy,
} from '../../../fixtures/chart-1/fixtures.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { madeLedger, sealedAnew } from './made.ts';

type Lines = readonly Readonly<Record<string, unknown>>[];
const linesOf = (name: (typeof fixtureNames)[number]): Lines => ledgerLines(name) as Lines;

const intact = { intact: true, chart: '1', canReplay: false, findings: [] };
const notDerived = { verdict: 'not_derived', same: false, chart: '1', findings: [] };

it('the chart 1 fixtures cover every kind of task', () => {
  expect(fixtureNames).toHaveLength(15);
});

describe.each(fixtureNames)('the ledger of chart 1 of the task "%s"', (name) => {
  it('is intact, and its states are not replayed', async () => {
    const lines = linesOf(name);
    expect(await verifyLedger(lines)).toMatchObject({ ...intact, records: fixtures[name].records });
    expect(replay(lines)).toMatchObject(notDerived);
  });

  it('is read and written unchanged', () => {
    expect(toJsonLines(fromJsonLines(ledgerText(name)))).toBe(ledgerText(name));
  });

  it('is intact in its store, with every emitted document', async () => {
    const store = sqliteStore(storeCopy());
    const stored = await store.load(fixtures[name].taskId);
    await store.close();
    const { records = [], emissions = [] } = stored ?? {};
    expect(records.length).toBe(fixtures[name].records);
    expect(await verifyLedger(records, { emissions })).toMatchObject(intact);
    expect(replay(records, { emissions })).toMatchObject(notDerived);
    expect(replay(records, { emissions: emissions.slice(1) })).toMatchObject({
      verdict: 'different',
      findings: [{ code: 'chain', message: expect.stringMatching(/^emission_missing: /) as string }],
    });
  });

  it.each<[string, (lines: Lines) => Lines, string]>([
    [
      'an edited actor',
      (lines) => lines.with(1, { ...lines[1], actor: { kind: 'human', id: 'kim' } }),
      'edited',
    ],
    ['an edited state', (lines) => [...lines.slice(0, -1), { ...lines.at(-1), to: 'elsewhere' }], 'edited'],
    ['an edited fact', (lines) => lines.with(1, { ...lines[1], fact: { type: 'task.cancelled' } }), 'edited'],
    [
      'an edited document',
      (lines) => lines.with(0, { ...lines[0], brought: { chart: '1', contract: {} } }),
      'document_edited',
    ],
    ['a dropped record', (lines) => lines.toSpliced(lines.length - 2, 1), 'dropped'],
    ['a repeated record', (lines) => [...lines, lines.at(-1) ?? {}], 'duplicated'],
    ['swapped records', (lines) => [...lines.slice(0, -2), ...lines.slice(-2).toReversed()], 'swapped'],
    ['no record', (lines) => lines.with(1, { seq: 1 }), 'unreadable'],
  ])('is broken with %s', async (_, tamper, code) => {
    // prettier-ignore
    const tampered = tamper(linesOf(name));
    const { intact: isIntact, findings } = await verifyLedger(tampered);
    expect(isIntact).toBe(false);
    expect(findings.map((finding) => finding.code)).toContain(code);
    expect(replay(tampered)).toMatchObject({ verdict: 'different', findings: [expect.anything()] });
  });
});

/** Rewrites a record as a later chart might. */
const later = (record: LedgerRecord): object => {
  if (record.seq === 0) {
    const contract = { ...record.brought.contract, checks: ['a rule of tomorrow'] };
    return { ...record, brought: { ...record.brought, contract, chart: '3' } };
  }
  return record.kind === 'refusal'
    ? { ...record, kind: 'carried', code: 'CODE_OF_TOMORROW', to: 'elsewhere' }
    : { ...record, fact: { type: 'fact.of_tomorrow', by: 'x' }, outcome: 'undecided', from: record.from };
};

describe('a ledger of a later chart', () => {
  const few = madeLedger(1).records();
  it('is intact although its facts, codes, kinds and contract are unknown to this version', async () => {
    const ledger = sealedAnew(
      few
        .map((record) => later(record) as LedgerRecord)
        .map((record, at, all) => ({ ...record, from: all[at - 1]?.to ?? record.from })),
    );
    expect(await verifyLedger(ledger)).toMatchObject({ intact: true, chart: '3', canReplay: false });
    expect(replay(ledger)).toMatchObject({ verdict: 'not_derived', chart: '3' });
    expect(fromJsonLines(toJsonLines(ledger))).toEqual(ledger);
  });

  it('does not make a broken ledger of this chart readable', async () => {
    const planted = [
      ledgerLines('question')[0],
      ...few.with(2, { ...few[2]!, fact: { type: 'unknown' } as never }),
    ];
    const { findings } = await verifyLedger(planted);
    expect(findings.map(({ code }) => code)).toEqual(expect.arrayContaining(['foreign', 'edited']));
  });
});

describe('the chart version of a ledger whose version was erased', () => {
  it('is recognized by its digest', async () => {
    const [opening, ...rest] = linesOf('delivered');
    const { chart: _, ...brought } = Object(opening?.['brought']) as Record<string, unknown>;
    expect(await verifyLedger([{ ...opening, brought }, ...rest])).toMatchObject({
      chart: '1',
      canReplay: false,
      findings: [{ code: 'document_missing' }],
    });
  });
});
