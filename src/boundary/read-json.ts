import { frozenCopy, mostLevels } from '../canonical/freeze.ts';
import { unreadable } from '../canonical/unreadable.ts';
import { scan, type ReadLimits } from './scan.ts';

/** The limits of `readJson` unless it is given others: 1 MiB, 64 levels, 10,000 keys. */
export const readLimits: ReadLimits = { bytes: 1_048_576, depth: mostLevels, keys: 10_000 };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }); // a BOM stays, and JSON.parse refuses it

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
    // The parser's own message quotes the text, so it is not passed on.
    throw unreadable(document, [], 'it is not JSON', 'one JSON value (RFC 8259)');
  }
}

/**
 * The frozen value of a JSON document from outside, read only if every reader reads the same (I-JSON, RFC 7493).
 *
 * Throws `input_unreadable` for what exceeds a limit, is not UTF-8 or not JSON, or holds a key twice, a key
 * `__proto__`, a lone surrogate, or an integer beyond 2^53-1. `document` names it in the error. -0 is read as 0.
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
  return frozenCopy(value, document, { depth: allowed.depth, members: Infinity, text: Infinity }); // bounded above
}

/**
 * The frozen value of plain data that other code made of JSON, read as its bytes would have been.
 *
 * Throws `input_unreadable` as `readJson` does.
 */
export const readValue = (document: string, value: unknown): unknown =>
  readJson(document, JSON.stringify(frozenCopy(value, document)));

/**
 * The frozen value that another library hands on, as it would stand on the wire: what JSON has no place for is dropped.
 *
 * Throws `input_unreadable` as `readJson` does, also for what cannot be written: a cycle, or more depth than the stack holds.
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
