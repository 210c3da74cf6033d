import { describe, expect, it } from 'vitest';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { verifyLedger, type FindingCode } from '../../../../src/core/ledger/index.ts';
import { memoryStore } from '../../../../src/stores/memory.ts';
import { madeLedger, scribe } from './made.ts';

const elsewhere = digest('elsewhere');
const few = madeLedger(2);

const codes = async (given: readonly unknown[]): Promise<readonly (readonly [number, FindingCode])[]> =>
  (await verifyLedger(given)).findings.map(({ seq, code }) => [seq, code] as const);

const erased = async () => {
  const made = madeLedger(3);
  const store = memoryStore();
  for (const step of made.steps) await store.commit(step);
  const evidences = made.records().flatMap(({ documents }) => documents.evidence ?? []);
  const digests = [evidences[0]!, evidences[3]!, made.records()[2]!.documents.output!];
  for (const each of digests) {
    made.erase(each);
    expect(await store.erase(made.steps.at(-1)!, each)).toBe('ok');
  }
  const { records = [], emissions = [] } = (await store.load('task')) ?? {};
  return { records, emissions, made, digests };
};

describe('A ledger with erased documents', () => {
  it('is intact and counts them', async () => {
    const { records: left, emissions, made } = await erased();
    expect(emissions).toHaveLength(made.emissions().length - 2);
    expect(await verifyLedger(left, { emissions })).toMatchObject({ intact: true, erased: 3, findings: [] });
  });

  it('is broken when no later record names the erasure', async () => {
    const { records: left, digests } = await erased();
    const at = left.findIndex(({ documents }) => documents.evidence === digests[0]);
    expect(await codes(left.slice(0, -3))).toContainEqual([at, 'document_missing']);
    const made = scribe();
    made.tell(null, { brought: { contract: made.contract } });
    made.erase(digest('later'));
    made.tell({ type: 'request.accepted' }, { brought: { explanation: 'later' } });
    expect(await codes(made.records())).toEqual([]);
    const gone = made.records().with(2, { ...made.records()[2]!, brought: {} });
    expect(await codes(gone)).toEqual([[2, 'document_missing']]);
  });

  it('is broken when an erased document is still there', async () => {
    const { records: left, made, digests } = await erased();
    const at = left.findIndex(({ documents }) => documents.evidence === digests[0]);
    expect(await codes(left.with(at, made.records()[at]!))).toEqual([[at, 'document_kept']]);
    const emissions = made.emissions();
    expect((await verifyLedger(left, { emissions })).findings.map(({ code }) => code)).toContain(
      'emission_added',
    );
  });

  it('cannot hide an edit as an erasure', async () => {
    const { records: left, digests } = await erased();
    const at = left.findIndex(({ documents }) => documents.evidence === digests[0]);
    const forged = { ...left[at]!, brought: { evidence: { forged: true } as never } };
    expect(await codes(left.with(at, forged))).toEqual([[at, 'document_edited']]);
    expect(await codes(left.with(at, { ...left[at]!, outcome: 'uncertain' }))).toEqual([[at, 'edited']]);
    const unnamed = { ...left[at]!, documents: {} };
    expect(await codes(left.with(at, unnamed))).toEqual([[at, 'edited']]);
  });

  it('ignores an erasure record that was itself edited', async () => {
    const made = madeLedger(1);
    made.erase(elsewhere);
    const edited = { ...made.records().at(-1)!, erased: made.records()[4]!.documents.evidence! };
    const gone = { ...made.records()[4]!, brought: {} };
    expect(await codes([...made.records().slice(0, -1).with(4, gone), edited])).toEqual([
      [4, 'document_missing'],
      [edited.seq, 'edited'],
    ]);
  });
});

describe('The list of emitted documents', () => {
  const emissions = few.emissions();
  const found = async (given: readonly unknown[]) =>
    (await verifyLedger(few.records(), { emissions: given as typeof emissions })).findings.map(
      ({ code }) => code,
    );

  it('is reported once when a document is edited, dropped or added', async () => {
    for (const [at, emission] of emissions.entries()) {
      const edited = { ...emission, document: { ...emission.document, source: 'eve' } };
      expect(await found(emissions.with(at, edited as never))).toEqual(['emission_edited']);
      expect(await found(emissions.toSpliced(at, 1))).toEqual(['emission_missing']);
      expect(await found([...emissions, emission])).toEqual(['emission_added']);
    }
  });

  it('is reported when documents are swapped, repeated or not JSON', async () => {
    expect(await found(emissions.toReversed())).not.toEqual([]);
    expect(await found(emissions.toSpliced(1, 0, emissions[0]!))).not.toEqual([]);
    expect(await found(emissions.with(3, { document: () => {} } as never))).toEqual(['emission_edited']);
    expect(await found([])).toHaveLength(emissions.length);
  });
});
