import { sizeOfCopy } from '../canonical/deep-freeze.ts';
import { frozenCopy, mostLevels } from '../canonical/freeze.ts';
import { unreadable } from '../canonical/unreadable.ts';
import { scan, type ReadLimits } from './scan.ts';

/** The default limits of `readJson`: 1 MiB, 64 levels, 10,000 keys. */
export const readLimits: ReadLimits = { bytes: 1_048_576, depth: mostLevels, keys: 10_000 };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }); // a BOM is kept, and JSON.parse refuses it

function decode(document: string, source: Uint8Array): string {
  try {
    return utf8.decode(source);
  } catch {
    throw unreadable(document, [], 'it is not UTF-8', 'JSON in UTF-8');
  }
}

function parse(document: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The parser's message quotes the text, so it is not passed on.
    throw unreadable(document, [], 'it is not JSON', 'one JSON value (RFC 8259)');
  }
}

/**
 * Parses a JSON document from outside and freezes it. Only I-JSON is accepted, which every parser reads alike (RFC
 * 7493).
 *
 * Throws `input_unreadable` if the document exceeds a limit, is not UTF-8 or JSON, or has a duplicate key, a key
 * `__proto__`, a lone surrogate, or an integer beyond 2^53-1. `document` names it in the error. -0 becomes 0.
 */
export function readJson(
  document: string,
  source: Uint8Array | string,
  limits: Partial<ReadLimits> = {},
): unknown {
  const allowed = { ...readLimits, ...limits };
  const bytes = typeof source === 'string' ? Buffer.byteLength(source) : source.byteLength;
  if (bytes > allowed.bytes)
    throw unreadable(document, [], `it has ${bytes} bytes`, `${allowed.bytes} bytes`);
  const text = typeof source === 'string' ? source : decode(document, source);
  const value = parse(document, text);
  scan(document, text, allowed);
  return frozenCopy(value, document, { depth: allowed.depth, members: Infinity, text: Infinity }); // bounds are checked above
}

/** Returns whether the JSON text of a copy is within `readLimits`, however its texts are escaped. */
const isSurelyWithin = (copy: unknown): boolean => {
  const size = typeof copy === 'object' && copy !== null ? sizeOfCopy(copy) : undefined;
  if (size === undefined || size.members > readLimits.keys) return false;
  return size.text * 6 + (size.members + 1) * 32 <= readLimits.bytes; // an escape has 6 bytes, a number at most 25
};

/**
 * Returns a frozen copy of plain data, with the checks of `readJson`.
 *
 * Throws `input_unreadable` as `readJson` does.
 */
export const readValue = (document: string, value: unknown): unknown => {
  const copy = frozenCopy(value, document);
  return isSurelyWithin(copy) ? copy : readJson(document, JSON.stringify(copy));
};

/**
 * Returns the frozen JSON form of a value from another library; members without a JSON form are dropped.
 *
 * Throws `input_unreadable` as `readJson` does, also for a cycle or a value that is too deep to be written.
 */
export const readWired = (document: string, value: unknown): unknown => {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    throw unreadable(document, [], 'it cannot be written as JSON', `a tree, with a depth of ${mostLevels}`);
  }
  return readJson(document, text ?? 'null');
};
