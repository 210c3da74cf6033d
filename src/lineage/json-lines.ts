import type { UpFormatMessage } from '../../schema/index.ts';
import { linesOf, toLines } from '../boundary/json-lines.ts';
import { readJson } from '../boundary/read-json.ts';
import type { ReadLimits } from '../boundary/scan.ts';
import { isCharterError } from '../errors.ts';

/** The limits of one line: a message that `lineageOf` takes is within them, however its text is escaped. */
const lineLimits: ReadLimits = { bytes: 16_777_216, depth: 64, keys: 100_000 };

/** Messages as text: one a line as JSON, its keys in their order, each ended by a line feed. */
export const toJsonLines = (messages: readonly UpFormatMessage[]): string => toLines(messages);

const readOrError = (line: string | Uint8Array, index: number): unknown => {
  try {
    return readJson(`line ${index + 1}`, line, lineLimits);
  } catch (error) {
    if (!isCharterError(error)) throw error;
    return error;
  }
};

/**
 * The values of a text that `toJsonLines` made, for `lineageOf` to read: one a line.
 *
 * A line that is not JSON stands there as its `input_unreadable` error, which `lineageOf` finds to be `unreadable`.
 */
export const fromJsonLines = (text: string | Uint8Array): readonly unknown[] =>
  Array.from(linesOf(text), readOrError);
