import type { Emission } from '../../../../src/index.ts';
import type { LedgerRecord } from '../../../../src/base/ports/ledger.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { sealedAnew } from './made.ts';

interface Ledger {
  readonly records: readonly LedgerRecord[];
  readonly emissions: readonly Emission[];
}

const payload = { paid: 'to somebody else' };

const bringsDraft = ({ kind, fact }: LedgerRecord): boolean =>
  kind === 'fact' &&
  (fact?.type === 'draft.proposed' || (fact?.type === 'human.responded' && fact.draft !== undefined));

const isDelivery = ({ name, document }: Emission): boolean =>
  name === 'UpFormatMessage' && document.state === 'completed';

/** Replaces the delivered payload and recomputes every digest, link and hash. */
export const exchanged = ({ records, emissions }: Ledger, what: 'message' | 'message and draft'): Ledger => {
  const at = emissions.findIndex(isDelivery);
  const old = emissions[at]!;
  const message = { ...old, document: { ...old.document, payload } } as Emission;
  const [before, after] = [digest(old.document), digest(message.document)];
  const anew = records.map((record) => {
    const emitted = record.emitted.map((hash) => (hash === before ? after : hash));
    const { output } = record.brought;
    return what === 'message' || output === undefined || !bringsDraft(record)
      ? { ...record, emitted }
      : { ...record, emitted, brought: { ...record.brought, output: { ...output, payload } } };
  });
  return { records: sealedAnew(anew), emissions: emissions.with(at, message) };
};

/** Removes the draft from every record, as if there had been none. */
export const withoutDraft = ({ records, emissions }: Ledger): Ledger => {
  const anew = records.map((record) => {
    if (!bringsDraft(record)) return record;
    const { output: _, ...brought } = record.brought;
    const { output: __, ...documents } = record.documents;
    return { ...record, brought, documents };
  });
  return { records: sealedAnew(anew), emissions };
};

/** Removes the delivered message, as if none had been sent. */
export const withoutMessage = ({ records, emissions }: Ledger): Ledger => {
  const at = emissions.findIndex(isDelivery);
  const hash = digest(emissions[at]?.document);
  const anew = records.map((record) => ({
    ...record,
    emitted: record.emitted.filter((one) => one !== hash),
  }));
  return { records: sealedAnew(anew), emissions: emissions.toSpliced(at, 1) };
};
