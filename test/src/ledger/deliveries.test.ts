import { describe, expect, it } from 'vitest';
import type { Emission } from '../../../src/index.ts';
import type { LedgerRecord } from '../../../src/ports/ledger.ts';
import { digest } from '../../../src/canonical/digest.ts';
import { replay, verifyLedger } from '../../../src/ledger/index.ts';
import { scene, type Given } from '../orchestrator/scene.ts';
import { draft, plan } from '../orchestrator/scripted.ts';
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
    expect(await found(forged)).toEqual(['delivered_other']);
    expect((await verifyLedger(forged.records)).findings).toMatchObject([{ code: 'delivered_other' }]);
    expect(replay(forged.records)).toMatchObject({ verdict: 'different' });
  });

  it('is reported when its message is removed from its record', async () => {
    expect(await found(withoutMessage(await settled(given, answers)))).toEqual(['delivered_other']);
  });

  it('is reported when the draft is removed from its record', async () => {
    const forged = withoutDraft(exchanged(await settled(given, answers), 'message'));
    expect(await found(forged)).toEqual(['delivered_other']);
  });
});

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
