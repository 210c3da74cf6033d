import { describe, expect, it } from 'vitest';
import type { UpFormatMessage } from '../../../../schema/index.ts';
import type { Emission } from '../../../../src/index.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { deliveryFindings } from '../../../../src/core/ledger/deliveries.ts';
import { replay, verifyLedger } from '../../../../src/core/ledger/index.ts';
import { scene, type Given } from '../shell/scene.ts';
import { draft, plan } from '../shell/scripted.ts';
import { exchanged, withoutDraft, withoutMessage } from './exchanged.ts';

interface Ledger {
  readonly records: readonly LedgerRecord[];
  readonly emissions: readonly Emission[];
}

const settled = async (given: Given = {}, answers: (one: ReturnType<typeof scene>) => unknown = () => {}) => {
  const one = scene(given);
  const taskId = await one.submit();
  await answers(one);
  expect(await one.ended(taskId)).toMatchObject({ outcome: 'success' });
  const records = await one.orchestrator.ledger(taskId);
  const emissions = await one.orchestrator.documents(taskId);
  return { one, taskId, records, emissions };
};

const found = async ({ records, emissions }: Ledger) =>
  (await verifyLedger(records, { emissions })).findings.map(({ code }) => code);

const unsure = { model: [plan(), draft({ done: true }, { confidence: 0.2 })] };
const offers: Given = {
  taskClass: { followup: () => ({ explanation: 'More?', payload: {}, byDefault: { more: false } }) },
};
const ways: readonly [string, Given, (one: ReturnType<typeof scene>) => unknown][] = [
  ['as its model drafted it', {}, () => {}],
  ['as a person approved it', unsure, ({ answer }) => answer('approve')],
  ['as a person edited it', unsure, ({ answer }) => answer('edit', { value: draft({ done: 'by hand' }) })],
  ['with a followup', offers, ({ answer }) => answer('approve')],
  ['as its model drafted it again', { model: [plan(), draft({ done: 1 }, { confidence: 0.2 }), plan(), draft()] }, ({ answer }) => answer('instruction', 'Again.')], // prettier-ignore
];

describe.each(ways)('the delivery of a task %s', (_, given, answers) => {
  it('is the verified draft', async () => {
    const ledger = await settled(given, answers);
    expect(await found(ledger)).toEqual([]);
    expect(replay(ledger.records, ledger).verdict).toBe('same');
  });

  it('is reported when its payload was replaced and every hash recomputed', async () => {
    const forged = exchanged(await settled(given, answers), 'message');
    expect(await found(forged)).toEqual(['delivered_other']);
    expect(replay(forged.records, forged)).toMatchObject({
      verdict: 'different',
      findings: [{ code: 'delivered_other' }],
    });
  });

  it('is reported when the draft was replaced too, also without the emitted documents', async () => {
    const forged = exchanged(await settled(given, answers), 'message and draft');
    expect(new Set(await found(forged))).toEqual(new Set(['contradictory', 'delivered_other']));
    expect((await verifyLedger(forged.records)).findings).toContainEqual(
      expect.objectContaining({ code: 'delivered_other' }),
    );
    expect(replay(forged.records)).toMatchObject({ verdict: 'different' });
  });

  it('is reported when its message is removed from its record', async () => {
    expect(await found(withoutMessage(await settled(given, answers)))).toEqual(['delivered_other']);
  });

  it('is reported when the draft is removed from its record', async () => {
    const forged = withoutDraft(exchanged(await settled(given, answers), 'message'));
    expect(new Set(await found(forged))).toEqual(new Set(['contradictory', 'delivered_other']));
  });
});

const draftOf = (records: readonly LedgerRecord[]) =>
  records.find(({ fact }) => fact?.type === 'draft.proposed')?.brought.output;

/** Changes the digest that was verified of a draft. */
const named = (record: LedgerRecord, name: string): LedgerRecord =>
  record.fact?.type === 'draft.proposed' ? { ...record, fact: { ...record.fact, digest: name } } : record;

/** A ledger whose draft is named as earlier versions named it: by the digest of what the model wrote. */
const flatNamed = async () => {
  const { records, emissions } = await settled();
  const { upThought, ...rest } = draftOf(records)!;
  const flat = digest({ ...upThought, ...rest });
  expect(flat).not.toBe(digest(draftOf(records)));
  return { records: records.map((record) => named(record, flat)), emissions };
};

describe('a delivery', () => {
  it('is compared only when the emitted documents are given', async () => {
    const { records } = exchanged(await settled(), 'message');
    expect(await verifyLedger(records)).toMatchObject({ intact: true });
  });

  it('passes after its draft was erased', async () => {
    const { one, taskId, records } = await settled();
    const proposed = records.find(({ fact }) => fact?.type === 'draft.proposed');
    await one.orchestrator.erase(taskId, proposed!.documents.output!, { by: 'dana' });
    const after = await one.orchestrator.ledger(taskId);
    const emissions = await one.orchestrator.documents(taskId);
    expect(after.some(({ brought }) => brought.output?.payload['done'] === true)).toBe(false);
    expect(await found({ records: after, emissions })).toEqual([]);
  });

  it('is not that of a draft that came too late', async () => {
    const approved = await settled(unsure, ({ answer }) => answer('approve'));
    const { records, emissions } = exchanged(approved, 'message');
    const { document } = emissions.find(
      (one) => one.name === 'UpFormatMessage' && one.document.state === 'completed',
    )!;
    const at = records.findIndex(({ fact }) => fact?.type === 'draft.proposed');
    const proposed = records[at]!;
    const output = { ...proposed.brought.output!, payload: (document as UpFormatMessage).payload };
    const late: LedgerRecord = { ...proposed, brought: { output }, documents: { output: digest(output) } };
    const renamed = named(late, digest(output));
    const codes = (kind: LedgerRecord['kind']) =>
      deliveryFindings(records.toSpliced(at + 1, 0, { ...renamed, kind }), emissions).map(({ code }) => code);
    expect(codes('orphan')).toEqual(['delivered_other']);
    expect(codes('fact')).toEqual([]);
  });

  describe('whose draft is named by what its model wrote, as earlier versions did,', () => {
    it('passes', async () => {
      const { records, emissions } = await flatNamed();
      expect(deliveryFindings(records, emissions)).toEqual([]);
    });

    it('passes after the draft was erased', async () => {
      const { records, emissions } = await flatNamed();
      const erased = records.map((record) => ({ ...record, brought: {} }));
      expect(deliveryFindings(erased, emissions)).toEqual([]);
    });

    it('is reported if the draft was replaced', async () => {
      const { records, emissions } = await flatNamed();
      expect(deliveryFindings(exchanged({ records, emissions }, 'message and draft').records)).toMatchObject([
        { code: 'delivered_other' },
      ]);
    });
  });

  it('passes after its message was erased', async () => {
    const { one, taskId, emissions } = await settled();
    const message = emissions.findLast(({ name }) => name === 'UpFormatMessage');
    await one.orchestrator.erase(taskId, digest(message?.document), { by: 'dana' });
    const records = await one.orchestrator.ledger(taskId);
    const after = await one.orchestrator.documents(taskId);
    expect(after.length).toBe(emissions.length - 1);
    expect(await found({ records, emissions: after })).toEqual([]);
  });

  it('is reported as missing when the emitted documents are malformed', async () => {
    const { records } = await settled();
    const junk = [null, 'text', { state: 'completed', payload: Number.NaN }].map(
      (document) => ({ name: 'UpFormatMessage', document }) as unknown as Emission,
    );
    expect((await verifyLedger(records, { emissions: junk })).intact).toBe(false);
    expect(replay(records, { emissions: junk }).findings).toMatchObject([{ code: 'delivered_other' }]);
  });
});
