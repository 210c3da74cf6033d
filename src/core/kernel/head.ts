import type { LedgerRecord } from '../../ports/ledger.ts';

/** The head of a task's ledger: what the next record continues. */
export interface Head {
  /** The number of records. */
  readonly size: number;
  /** The number of emitted documents. */
  readonly emitted: number;
  /** The hash of the last record; `null` for none. */
  readonly hash: string | null;
  /** The time of the last record (milliseconds since 1970). */
  readonly latest: number;
  /** The number of refusals since the last other record. */
  readonly refusals: number;
  /** The number of refusals since the last record that were not recorded. */
  readonly omitted: number;
}

/** The head of an empty ledger. */
export const noRecords: Head = {
  size: 0,
  emitted: 0,
  hash: null,
  latest: -Infinity,
  refusals: 0,
  omitted: 0,
};

/** The number of consecutive refusals that are recorded; the next record counts the others. */
const refusalLimit = 100;

/** Returns the head after a refusal that is one too many to record; `null` if it is to be recorded. */
export const omitRefusal = (head: Head): Head | null =>
  head.refusals < refusalLimit ? null : { ...head, omitted: head.omitted + 1 };

/** Returns the head after a record that emitted so many documents. */
export const headAfter = (
  { size, emitted, refusals }: Head,
  { hash, kind, timestamp }: LedgerRecord,
  documents: number,
): Head => ({
  size: size + 1,
  emitted: emitted + documents,
  hash,
  latest: Date.parse(timestamp),
  refusals: kind === 'refusal' ? refusals + 1 : 0,
  omitted: 0,
});

/** Returns the head of a ledger that emitted so many documents. */
export const headOf = (records: readonly LedgerRecord[], emitted: number): Head => ({
  size: records.length,
  emitted,
  hash: records.at(-1)?.hash ?? null,
  latest: records.reduce((latest, { timestamp }) => Math.max(latest, Date.parse(timestamp)), -Infinity),
  refusals: records.length - 1 - records.findLastIndex(({ kind }) => kind !== 'refusal'),
  omitted: 0,
});
