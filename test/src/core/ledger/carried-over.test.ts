import { describe, expect, it } from 'vitest';
import { chartVersion } from '../../../../machines/index.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { createOrchestrator } from '../../../../src/index.ts';
import { fromJsonLines, replay, toJsonLines, verifyLedger } from '../../../../src/core/ledger/index.ts';
import type { LedgerRecord, UpgradeDocument } from '../../../../src/base/ports/ledger.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import { charter, fixedIds } from '../../../fixtures/chart-1/charter.ts';
import { copyInto, fixtures, openNames, type FixtureName } from '../../../fixtures/chart-1/fixtures.ts';
import { sealedAnew } from './made.ts';

type Ledger = readonly LedgerRecord[];

/** The ledgers of the open tasks of chart 1, carried over. */
const carriedOver = async (): Promise<Readonly<Record<FixtureName, Ledger>>> => {
  const store = memoryStore();
  await copyInto(store);
  const orchestrator = createOrchestrator({ ...charter, store, ids: fixedIds(3) });
  await orchestrator.recover();
  const entries = await Promise.all(
    openNames.map(async (name) => [name, await orchestrator.ledger(fixtures[name].taskId)] as const),
  );
  await orchestrator.close();
  return Object.fromEntries(entries) as Record<FixtureName, Ledger>; // one for each open name
};

const ledgers = await carriedOver();
const ledger = ledgers.question;
const at = fixtures.question.records;
const upgrade = ledger[at]!.brought.upgrade!;
const elsewhere = `sha256:${'0'.repeat(64)}`;

/** The ledger with one record changed, sealed anew by one who can seal. */
const changed = (
  place: number,
  change: (record: LedgerRecord) => LedgerRecord,
  from: Ledger = ledger,
): Ledger => sealedAnew(from.map((record, seq) => (seq === place ? change(record) : record)));

const withUpgrade = (document: UpgradeDocument, rest: Partial<LedgerRecord> = {}): Ledger =>
  changed(at, (record) => ({
    ...record,
    ...rest,
    brought: { upgrade: document },
    documents: { upgrade: digest(document) },
  }));

/** The records numbered and sealed anew, by one who can seal. */
const numbered = (records: Ledger): Ledger => sealedAnew(records.map((record, seq) => ({ ...record, seq })));
/** A record that says that a document was erased, for the end of the ledger. */
const erasing = (erased: string): LedgerRecord => ({
  ...ledger.at(-1)!,
  kind: 'erasure',
  fact: null,
  erased,
  from: ledger.at(-1)!.to,
  snapshot: null,
  emitted: [],
  brought: {},
  documents: {},
});

describe('a ledger that was carried over', () => {
  it.each(openNames)('is read from the lines that it is written as: "%s"', (name) => {
    expect(fromJsonLines(toJsonLines(ledgers[name]))).toEqual(ledgers[name]);
  });

  it('goes on to the end of its facts under the new chart, also where an old fact was changed', () => {
    const edited = changed(2, (record) => ({ ...record, fact: { type: 'capability.exceeded' } }));
    expect(replay(edited)).toMatchObject({ verdict: 'different', findings: [{ seq: at, code: 'state' }] });
    const refused = changed(2, (record) => ({ ...record, fact: { type: 'request.accepted' } }));
    expect(replay(refused)).toMatchObject({ verdict: 'different', findings: [{ seq: 2, code: 'refused' }] });
  });

  it('is another one where it names another snapshot', async () => {
    const forged = withUpgrade(
      { ...upgrade, to: { ...upgrade.to, snapshot: elsewhere } },
      { snapshot: elsewhere },
    );
    expect(await verifyLedger(forged)).toMatchObject({ intact: true });
    expect(replay(forged)).toMatchObject({ verdict: 'different', findings: [{ seq: at, code: 'snapshot' }] });
  });

  it.each<[string, UpgradeDocument]>([
    ['the version that was in force', { ...upgrade, from: { ...upgrade.from, chart: '0' } }],
    ['a later version', { ...upgrade, to: { ...upgrade.to, chart: '1' } }],
    ['a later version', { ...upgrade, to: { ...upgrade.to, chart: '0' } }],
    ['a later version', { ...upgrade, to: { ...upgrade.to, chart: 'soon' } }],
    ['where the task stood', { ...upgrade, from: { ...upgrade.from, snapshot: elsewhere } }],
    ['where the task stood', { ...upgrade, from: { ...upgrade.from, state: 'waiting' } }],
    ['where its record does', { ...upgrade, to: { ...upgrade.to, state: 'waiting' } }],
    ['where its record does', { ...upgrade, to: { ...upgrade.to, snapshot: elsewhere } }],
  ])('is inconsistent where the record does not name %s: %j', async (_, document) => {
    const { intact, findings } = await verifyLedger(withUpgrade(document));
    expect(intact).toBe(false);
    expect(findings).toMatchObject([{ seq: at, code: 'inconsistent' }]);
  });

  it.each<[string, Partial<LedgerRecord>]>([
    ['states a fact', { fact: { type: 'task.cancelled' } }],
    ['leads to no snapshot', { snapshot: null }],
    ['brings no carry-over', { brought: {}, documents: {} }],
  ])('is inconsistent where the record %s', async (_, change) => {
    const { findings } = await verifyLedger(changed(at, (record) => ({ ...record, ...change })));
    expect(findings.map(({ code }) => code)).toContain('inconsistent');
  });

  it('is inconsistent where a carry-over is repeated', async () => {
    const repeated = numbered(ledger.toSpliced(at, 0, ledger[at]!));
    expect((await verifyLedger(repeated)).findings).toMatchObject([
      { seq: at + 1, code: 'inconsistent', message: expect.stringContaining('in force') as string },
    ]);
  });

  it('is inconsistent where the way goes back and forth to hide the states before it', async () => {
    const there = ledger[at]!;
    const state = there.to;
    const back = { from: upgrade.to, to: { chart: '1', state, snapshot: elsewhere } };
    const forth = { from: back.to, to: { ...upgrade.to, state } };
    const bringing = (document: UpgradeDocument): LedgerRecord => ({
      ...there,
      from: state,
      snapshot: document.to.snapshot,
      brought: { upgrade: document },
      documents: { upgrade: digest(document) },
    });
    const forged = numbered(ledger.toSpliced(at + 1, 0, bringing(back), bringing(forth)));
    expect((await verifyLedger(forged)).findings).toMatchObject([
      {
        seq: at + 1,
        code: 'inconsistent',
        message: 'upgrade: it does not lead to a later version',
      },
    ]);
  });

  it('is inconsistent where the document of a carry-over was erased', async () => {
    const gone = changed(at, (record) => ({ ...record, brought: {} }));
    const { intact, findings } = await verifyLedger(
      numbered([...gone, erasing(ledger[at]!.documents.upgrade!)]),
    );
    expect(intact).toBe(false);
    expect(findings).toContainEqual({ seq: at, code: 'inconsistent', message: 'upgrade: it was erased' });
  });

  it('is unreadable where a document of the old version does not fit its schema', async () => {
    const output = { payload: {}, explanation: 3 };
    const edited = changed(2, (record) => ({
      ...record,
      brought: { ...record.brought, output: output as never },
      documents: { ...record.documents, output: digest(output) },
    }));
    expect((await verifyLedger(edited)).findings).toMatchObject([{ seq: 2, code: 'unreadable' }]);
    expect(replay(edited)).toMatchObject({
      verdict: 'different',
      findings: [{ seq: 2, code: 'unreadable' }],
    });
  });

  it('does not count records of this version as those of the old one', async () => {
    const after = at + 1;
    const edited = changed(after, (record) => ({ ...record, fact: { type: 'unknown' } as never }));
    expect((await verifyLedger(edited)).findings).toMatchObject([{ seq: after, code: 'unreadable' }]);
  });

  it('is carried over twice, and derived from the last time on', async () => {
    const [opening, ...others] = ledger;
    const chart = { ...opening!.brought, chart: '0' };
    const begun = { ...opening!, brought: chart, documents: { ...opening!.documents, chart: digest('0') } };
    const place = 2; // of the carry-over from 0 to 1
    const state = others[place - 2]!.to;
    const snapshot = others[place - 2]!.snapshot!;
    const document = {
      from: { chart: '0', state, snapshot },
      to: { chart: '1', state, snapshot: elsewhere },
    };
    const first = { ...ledger[at]!, from: state, to: state, snapshot: elsewhere };
    const brought = { upgrade: document };
    const inserted = { ...first, brought, documents: { upgrade: digest(document) } };
    const timestamp = others[place - 2]!.timestamp;
    const twice = sealedAnew(
      [begun, ...others.toSpliced(place - 1, 0, { ...inserted, timestamp })].map((record, seq) => ({
        ...record,
        seq,
      })),
    );
    const carried = [
      { seq: place, from: '0', to: '1' },
      { seq: at + 1, from: '1', to: chartVersion },
    ];
    expect(await verifyLedger(twice)).toMatchObject({
      intact: true,
      chart: '0',
      carriedOver: carried,
      canReplay: true,
    });
    expect(replay(twice)).toMatchObject({ verdict: 'same', chart: '0', carriedOver: carried });
  });

  it('is not derived by a version that it was carried past', async () => {
    const { from } = upgrade;
    const later = withUpgrade({ from, to: { ...upgrade.to, chart: '3' } });
    expect(await verifyLedger(later)).toMatchObject({ intact: true, canReplay: false });
    expect(replay(later)).toMatchObject({
      verdict: 'not_derived',
      carriedOver: [{ seq: at, from: '1', to: '3' }],
    });
  });
});
