import { readJson } from '../boundary/read-json.ts';
import type { ReadLimits } from '../boundary/scan.ts';
import type { LedgerRecord } from '../ports/ledger.ts';
import { readRecord } from './record-schema.ts';

/** The limits of one line: a record holds several documents, each of which kept those of `readJson`. */
const lineLimits: ReadLimits = { bytes: 16_777_216, depth: 96, keys: 160_000 };

/** A ledger as text: one record a line, each ended by a line feed. */
export const toJsonLines = (records: readonly LedgerRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

function* linesOf(text: string | Uint8Array): Generator<string | Uint8Array> {
  const feed = (from: number): number =>
    typeof text === 'string' ? text.indexOf('\n', from) : text.indexOf(0x0a, from);
  let start = 0;
  while (start < text.length) {
    const end = feed(start) === -1 ? text.length : feed(start);
    yield typeof text === 'string' ? text.slice(start, end) : text.subarray(start, end);
    start = end + 1;
  }
}

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
