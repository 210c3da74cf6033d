import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { verifyLedger, type FindingCode } from '../../../../src/core/ledger/index.ts';
import { hashOfRecord, sealRecord } from '../../../../src/core/kernel/seal.ts';
import type { RecordPayload, LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { share } from '../../../share.ts';
import { runs } from '../../base/canonical/generated.ts';
import { madeLedger, type Scribe } from './made.ts';

const long = madeLedger(26);
const records = long.records();
const elsewhere = digest('elsewhere');
const few = madeLedger(2);
const many = madeLedger(share(26, 9));

const codes = async (given: readonly unknown[]): Promise<readonly (readonly [number, FindingCode])[]> =>
  (await verifyLedger(given)).findings.map(({ seq, code }) => [seq, code] as const);

/** Each changes one kind of member; `false` where a record has none. */
const edits: Readonly<Record<string, (record: LedgerRecord) => unknown>> = {
  seq: (record) => ({ ...record, seq: record.seq + 1 }),
  taskId: (record) => ({ ...record, taskId: 'another' }),
  kind: (record) => ({ ...record, kind: record.kind === 'fact' ? 'orphan' : 'fact' }),
  request_id: (record) => ({ ...record, request_id: '00000000-0000-4000-8000-00000000ffff' }),
  trace_id: (record) => ({ ...record, trace_id: 'f'.repeat(32) }),
  timestamp: (record) => ({ ...record, timestamp: record.timestamp.replace('2026', '2025') }),
  'actor kind': (record) => ({ ...record, actor: { ...record.actor, kind: 'human' } }),
  'actor id': (record) => ({ ...record, actor: { ...record.actor, id: 'eve' } }),
  outcome: (record) => ({ ...record, outcome: 'uncertain' }),
  from: (record) => ({ ...record, from: 'waiting' }),
  to: (record) => ({ ...record, to: 'waiting' }),
  fact: (record) => ({ ...record, fact: { type: 'task.cancelled' } }),
  'a member of the fact': (record) =>
    record.fact !== null && { ...record, fact: { ...record.fact, more: 'a member' } },
  code: (record) => ({ ...record, code: record.code === null ? 'CANCELLED' : null }),
  erased: (record) => ({ ...record, erased: elsewhere }),
  omitted: (record) => ({ ...record, omitted: 9 }),
  behind: (record) => ({ ...record, behind: 7_000 }),
  documents: (record) => ({ ...record, documents: { ...record.documents, met: elsewhere } }),
  emitted: (record) => ({ ...record, emitted: [...record.emitted, elsewhere] }),
  snapshot: (record) => ({ ...record, snapshot: record.snapshot === null ? elsewhere : null }),
  previous: (record) => ({ ...record, previous: elsewhere }),
  hash: (record) => ({ ...record, hash: elsewhere }),
};

const documentEdits: Readonly<Partial<Record<keyof RecordPayload, unknown>>> = {
  contract: { ...long.contract, threshold: 0 },
  request: {},
  output: {},
  evidence: { evidence_id: 'forged' },
  explanation: 'forged',
  payload: { forged: true },
  reasons: [],
  met: false,
};

/** Each record alone, in a ledger of few; and every third one of many, three times over. */
const places: readonly (readonly [string, Scribe, readonly (readonly number[])[]])[] = [
  ['alone', few, few.steps.map((_, at) => [at])],
  [
    'of every third',
    many,
    [0, 1, 2].map((first) => many.steps.flatMap((_, at) => (at % 3 === first ? [at] : []))),
  ],
];

describe('A ledger', () => {
  it('without changes is intact and names its head', async () => {
    expect(records.length).toBeGreaterThan(300);
    const emissions = long.emissions();
    const last = records.at(-1)!;
    expect(await verifyLedger(records, { emissions })).toEqual({
      intact: true,
      verdict: 'unsettled',
      checkpoint: null,
      records: records.length,
      erased: 0,
      approvals: null,
      chart: null,
      blobs: null,
      carriedOver: [],
      canReplay: true,
      head: { taskId: 'task', seq: records.length - 1, hash: last.hash },
      findings: [],
    });
    const stored: unknown = JSON.parse(JSON.stringify(records));
    expect(await codes(stored as readonly unknown[])).toEqual([]);
  });

  it('of no records is intact without a head', async () => {
    expect(await verifyLedger([])).toMatchObject({ intact: true, records: 0, head: null });
  });

  describe.each(places)('with changed records, %s,', (_, made, passes) => {
    const all = made.records();
    const changed = (at: readonly number[], change: (record: LedgerRecord) => unknown): readonly unknown[] =>
      all.map((record, seq) => (at.includes(seq) ? change(record) : record));

    it.each(Object.entries(edits))('reports once per record a change of its %s', async (_name, edit) => {
      for (const pass of passes) {
        const at = pass.filter((seq) => edit(all[seq]!) !== false);
        expect(await codes(changed(at, edit))).toEqual(at.map((seq) => [seq, 'edited']));
      }
    });

    it('reports once per record an edited document', async () => {
      for (const pass of passes) {
        for (const [name, edit] of Object.entries(documentEdits)) {
          const at = pass.filter((seq) => name in all[seq]!.brought);
          const found = await codes(
            changed(at, (record) => ({ ...record, brought: { ...record.brought, [name]: edit } })),
          );
          expect(found, name).toEqual(at.map((seq) => [seq, 'document_edited']));
        }
      }
    });

    it('reports a missing or added document at its record', async () => {
      for (const pass of passes) {
        const added = changed(pass, (record) => ({
          ...record,
          brought: { ...record.brought, agent: 'eve' },
        }));
        expect(await codes(added)).toEqual(pass.map((seq) => [seq, 'document_edited']));
        const gone = changed(pass, (record) => ({ ...record, brought: {} }));
        expect(await codes(gone)).toEqual(
          pass.flatMap((seq) => Object.keys(all[seq]!.brought).map(() => [seq, 'document_missing'])),
        );
      }
    });

    it('reports a recomputed hash at the next record', async () => {
      for (const pass of passes) {
        const anew = changed(pass, (record) => {
          const edited = { ...record, outcome: 'uncertain' as const };
          return { ...edited, hash: hashOfRecord(edited) };
        });
        const next = pass.map((seq) => seq + 1).filter((seq) => seq < all.length);
        expect(await codes(anew)).toEqual(next.map((seq) => [seq, 'unchained']));
      }
    });

    it('reports once per place something that is no record', async () => {
      const proxy = new Proxy({}, { ownKeys: () => { throw new Error('read'); } }); // prettier-ignore
      for (const nothing of [null, 7, [], {}, proxy, new Date(0), undefined]) {
        for (const pass of passes) {
          const found = await codes(changed(pass, () => nothing));
          expect(found).toEqual(pass.map((seq) => [seq, 'unreadable']));
        }
      }
    });

    it('reports once a record of another task, in its place or before it', async () => {
      const foreign = madeLedger(26, 2, 'another').records();
      for (const pass of passes) {
        const found = pass.map((seq) => [seq, 'foreign']);
        expect(await codes(changed(pass, ({ seq }) => foreign[seq]))).toEqual(found);
        const more = all.flatMap((record) =>
          pass.includes(record.seq) ? [foreign[record.seq], record] : [record],
        );
        expect(await codes(more)).toEqual(found);
      }
    });

    it('reports a missing record, except the last one', async () => {
      for (const pass of passes) {
        const found = await codes(all.filter(({ seq }) => !pass.includes(seq)));
        expect(found).toEqual(pass.filter((seq) => seq < all.length - 1).map((seq) => [seq, 'dropped']));
      }
    });

    it('reports a swap of neighbours once', async () => {
      for (const pass of passes) {
        const at = pass.filter((seq) => seq < all.length - 1);
        const swapped = all.map((record, seq) =>
          at.includes(seq) ? all[seq + 1] : at.includes(seq - 1) ? all[seq - 1] : record,
        );
        expect(await codes(swapped)).toEqual(at.map((seq) => [seq, 'swapped']));
      }
    });

    it('reports a duplicate once, wherever it is', async () => {
      for (const pass of passes) {
        const found = pass.map((seq) => [seq, 'duplicated']);
        const twice = all.flatMap((record) => (pass.includes(record.seq) ? [record, record] : [record]));
        expect(await codes(twice)).toEqual(found);
        expect(await codes([...all, ...pass.map((seq) => all[seq])])).toEqual(found);
      }
    });
  });

  it('with several missing records in a row has one finding per gap', async () => {
    const holed = records.filter(({ seq }) => seq !== 3 && seq !== 4 && seq !== 9);
    expect(await codes(holed)).toEqual([
      [3, 'dropped'],
      [9, 'dropped'],
    ]);
  });

  it('with moved records has one finding', async () => {
    const [front, back] = [records.slice(0, 10), records.slice(10)];
    expect(await codes([...back, ...front])).toEqual([[0, 'swapped']]);
  });

  it('with another record of the same number has a finding', async () => {
    const other = sealRecord(
      { ...records[5]!, outcome: 'uncertain' },
      { previous: records[4]!.hash, snapshot: null, emissions: [] },
    );
    expect(await codes(records.toSpliced(6, 0, other))).toContainEqual([5, 'duplicated']);
    expect(await codes(records.toSpliced(5, 0, other))).toContainEqual([5, 'duplicated']);
  });

  it('with several faults has a finding for each', async () => {
    const broken = records
      .with(40, { ...records[40]!, outcome: 'uncertain' })
      .with(20, { ...records[20]!, hash: elsewhere })
      .toSpliced(10, 1);
    expect(await codes([...broken, 'not a record'])).toEqual([
      [10, 'dropped'],
      [20, 'edited'],
      [40, 'edited'],
      [records.length, 'unreadable'],
    ]);
  });
});

const place = fc.nat(few.steps.length);
type Change = (given: readonly unknown[]) => readonly unknown[];
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(place, fc.nat(3)).map(
    ([at, cut]): Change =>
      (given) =>
        given.toSpliced(at, cut),
  ),
  fc.tuple(place, place).map(
    ([from, to]): Change =>
      (given) =>
        given.toSpliced(from, 1).toSpliced(to, 0, ...given.slice(from, from + 1)),
  ),
  fc.tuple(place, place).map(
    ([from, to]): Change =>
      (given) =>
        given.toSpliced(to, 0, ...given.slice(from, from + 2)),
  ),
  fc.tuple(place, fc.constantFrom(...Object.values(edits))).map(
    ([at, edit]): Change =>
      (given) =>
        given.map((record, index) => {
          const edited = index === at && edit(record as LedgerRecord);
          return edited === false ? record : edited;
        }),
  ),
);

const text = (given: readonly unknown[]): string => given.map((record) => JSON.stringify(record)).join('\n');

it('A ledger is intact only if it is a prefix of the sealed one, after random changes', async () => {
  let intact = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 3 }), async (changes) => {
      const changed = changes.reduce((given, one) => one(given), few.records() as readonly unknown[]);
      const isBeginning = text(few.records()).startsWith(text(changed));
      const verification = await verifyLedger(changed);
      expect(verification.intact).toBe(isBeginning);
      expect(verification.findings.length === 0).toBe(isBeginning);
      if (isBeginning) intact += 1;
    }),
    runs(share(1_000, 250)),
  );
  expect(intact).toBeGreaterThan(20);
});
