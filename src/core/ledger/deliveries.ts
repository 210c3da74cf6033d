import { digest } from '../../base/canonical/digest.ts';
import { frozenCopy, recordBounds } from '../../base/canonical/freeze.ts';
import { isPlainContainer } from '../../base/canonical/walk.ts';
import type { Emission } from '../../base/ports/emission.ts';
import type { LedgerRecord, OutputDocument } from '../../base/ports/ledger.ts';
import { valueAt } from './checked-text.ts';
import { digestOf } from './emitted.ts';
import { erasuresIn, isErased } from './erasures.ts';
import type { Finding } from './findings.ts';

/** A draft's digest, and the record with its text. */
interface Draft {
  readonly digest: string;
  readonly output: OutputDocument | undefined;
  /** The digest of the sealed text; it remains when the text is erased. */
  readonly sealed: string | undefined;
}

type Fault = Finding<'delivered_other'>;

const draftIn = ({ kind, fact, brought: { output }, documents }: LedgerRecord): Draft | undefined => {
  if (kind !== 'fact') return undefined;
  const sealed = documents.output;
  if (fact?.type === 'draft.proposed') return { digest: fact.digest, output, sealed };
  if (fact?.type !== 'human.responded' || fact.draft === undefined) return undefined;
  return { digest: fact.draft.digest, output, sealed };
};

/** Returns the output as the model wrote it: one flat document. */
const flat = ({ upThought, ...rest }: OutputDocument): object => ({ ...upThought, ...rest });

/** Returns whether the digest in a fact matches the sealed text. */
export const namesItsText = ({ digest: named, output, sealed }: Draft): boolean =>
  named === sealed || output === undefined || named === digest(flat(output), 'output');

/** Returns whether a record delivers. Settling a followup does not deliver again. */
const delivers = ({ kind, from, to }: LedgerRecord): boolean =>
  kind === 'fact' && to.startsWith('completed') && !from.startsWith('completed') && from !== 'followup';

/** Returns the payloads of delivering messages, by the digest of the message. */
const deliveredIn = (emissions: readonly Emission[]): ReadonlyMap<string, unknown> =>
  new Map(
    emissions.flatMap((emission) => {
      const document: unknown = emission.document; // from a store, and not parsed yet
      if (typeof document !== 'object' || document === null || !isPlainContainer(document)) return [];
      if (Array.isArray(document) || valueAt(document, 'state') !== 'completed') return [];
      const hash = digestOf(emission);
      return hash === null ? [] : [[hash, valueAt(document, 'payload')] as const];
    }),
  );

/** The payload of the delivering message, or why there is none. */
type DeliveredMessage = { readonly payload: unknown } | 'missing' | 'erased' | 'not given';

/** Returns a draft with a copy of its text; `undefined` for one without. */
const ownDraft = (draft: Draft | undefined): Draft | undefined =>
  draft?.output && {
    ...draft,
    output: frozenCopy(draft.output, 'record', recordBounds) as OutputDocument, // frozenCopy keeps the shape
  };

const faultOf = (draft: Draft | undefined, sent: DeliveredMessage): string | null => {
  if (draft?.sealed === undefined)
    return typeof sent === 'object' ? 'it delivers a message, and no record brought its draft' : null;
  if (!namesItsText(draft)) return 'the text of its draft is not the one that was verified';
  if (sent === 'missing') return 'no message delivers the draft that was verified';
  if (typeof sent !== 'object' || draft.output === undefined) return null;
  if (digest(sent.payload) === digest(draft.output.payload)) return null;
  return 'the payload of the message that it delivers is not that of the verified draft';
};

/**
 * Finds deliveries that differ from the verified draft, in sound records of this chart's version.
 *
 * The text must have the digest that the verifiers passed. If `emissions` is given, the delivered message must have
 * the payload of that text. Erased documents are not compared.
 */
export const deliveryFindings = (
  records: readonly LedgerRecord[],
  emissions?: readonly Emission[],
): readonly Fault[] => {
  const delivered = deliveredIn(emissions ?? []);
  const erasures = erasuresIn(records);
  const deliveredBy = ({ emitted, seq }: LedgerRecord): DeliveredMessage => {
    if (emissions === undefined) return 'not given';
    const hash = emitted.find((one) => delivered.has(one));
    if (hash !== undefined) return { payload: delivered.get(hash) };
    return emitted.some((one) => isErased(erasures, one, seq)) ? 'erased' : 'missing';
  };
  let draft: Draft | undefined;
  return records.flatMap((record): readonly Fault[] => {
    draft = draftIn(record) ?? draft;
    if (!delivers(record)) return [];
    const message = faultOf(ownDraft(draft) ?? draft, deliveredBy(record));
    return message === null ? [] : [{ seq: record.seq, code: 'delivered_other', message }];
  });
};
