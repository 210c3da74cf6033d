import { linesOf, toLines } from '../boundary/json-lines.ts';
import { readJson } from '../boundary/read-json.ts';
import type { ReadLimits } from '../boundary/scan.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import { readRecord } from './record-schema.ts';

/** The limits of one line: a record holds several documents, each of which kept those of `readJson`. */
const lineLimits: ReadLimits = { bytes: 16_777_216, depth: 96, keys: 160_000 };

/** A ledger as text: one record a line, each ended by a line feed. */
export const toJsonLines = (records: readonly LedgerRecord[]): string => toLines(records);

/**
 * The records of a text that `toJsonLines` made: read, and not verified.
 *
 * Throws `input_unreadable` or `document_invalid`, naming the line, the first of which is 1. `limits` are those of a line.
 */
export const fromJsonLines = (
  text: string | Uint8Array,
  limits: Partial<ReadLimits> = {},
): readonly LedgerRecord[] =>
  Array.from(linesOf(text), (line, index) => {
    const document = `ledger line ${index + 1}`;
    return readRecord(document, readJson(document, line, { ...lineLimits, ...limits }));
  });
