import { linesOf, toLines } from '../boundary/json-lines.ts';
import { readJson } from '../boundary/read-json.ts';
import type { ReadLimits } from '../boundary/scan.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import { chartOf, ledgerReader } from './chart.ts';

/** The limits of one line: a record holds several documents, each of which kept those of `readJson`. */
const lineLimits: ReadLimits = { bytes: 16_777_216, depth: 96, keys: 160_000 };

/** A ledger as text: one record a line, each ended by a line feed. */
export const toJsonLines = (records: readonly LedgerRecord[]): string => toLines(records);

/**
 * The records of a text that `toJsonLines` made: read, and not verified.
 *
 * Throws `input_unreadable` or `document_invalid`, naming the line, the first of which is 1. `limits` are those of a line.
 * If the first line names another version of the chart, facts, codes and documents are as that version wrote them, until
 * the record that carried the task over to this version.
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
    // The type is that of this version's records. Another version's are for `verifyLedger`, which takes anything.
    return read(document, value) as LedgerRecord;
  });
};
