import type { UpFormatMessage } from '../../../schema/index.ts';
import { linesOf, toLines } from '../../base/boundary/json-lines.ts';
import { readJson } from '../../base/boundary/read-json.ts';
import type { ReadLimits } from '../../base/boundary/scan.ts';
import { isCharterError } from '../../base/errors.ts';

/** The limits of one line: large enough for any message that `lineageOf` accepts, however it is escaped. */
const lineLimits: ReadLimits = { bytes: 16_777_216, depth: 64, keys: 100_000 };

/** Returns messages as JSON Lines, with their keys in order and a line feed after each. */
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
 * Returns the values of JSON Lines, as input for `lineageOf`.
 *
 * A line that is not JSON becomes its `input_unreadable` error, which `lineageOf` reports as `unreadable`.
 */
export const fromJsonLines = (text: string | Uint8Array): readonly unknown[] =>
  Array.from(linesOf(text), readOrError);
