import { linesOf, toLines } from '../../base/boundary/json-lines.ts';
import { readJson } from '../../base/boundary/read-json.ts';
import type { ReadLimits } from '../../base/boundary/scan.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import { chartOf, ledgerReader } from './chart.ts';

/** The limits of one line: a record holds several documents, each within the limits of `readJson`. */
const lineLimits: ReadLimits = { bytes: 16_777_216, depth: 96, keys: 160_000 };

/** Returns a ledger as JSON Lines: one record a line, each ended by a line feed. */
export const toJsonLines = (records: readonly LedgerRecord[]): string => toLines(records);

/**
 * Parses the records of JSON Lines, without verifying them.
 *
 * Throws `input_unreadable` or `document_invalid` with the line number, from 1. `limits` apply to each line. Records
 * of another version of the chart are returned as that version wrote them, until the record that carried the task
 * over to this one.
 */
export const fromJsonLines = (
  text: string | Uint8Array,
  limits: Partial<ReadLimits> = {},
): readonly LedgerRecord[] => {
  let read: ReturnType<typeof ledgerReader> | undefined;
  return Array.from(linesOf(text), (line, index) => {
    const document = `ledger line ${index + 1}`;
    const value = readJson(document, line, { ...lineLimits, ...limits });
    read ??= ledgerReader(chartOf([value]));
    // The type fits this version's records. For another version's, use `verifyLedger`, which accepts any.
    return read(document, value) as LedgerRecord;
  });
};
