import { hash } from 'node:crypto';
import { canonicalize, textOfFixed } from './canonicalize.ts';
import { digestOnce } from './deep-freeze.ts';

/** Returns `sha256:` and the lower-case hex SHA-256 of bytes, or of a text in UTF-8, such as a snapshot. */
export const hashOfText = (text: string | Uint8Array): string => `sha256:${hash('sha256', text)}`;

/**
 * Returns the digest of a value: `sha256:` and the lower-case hex SHA-256 of its canonical text in UTF-8 (RFC 8785).
 * The digest of a frozen copy is computed once.
 *
 * Throws `input_unreadable` as `canonicalize` does.
 */
export const digest = (value: unknown, document?: string): string => {
  const compute = (): string => hashOfText(canonicalize(value, document));
  return typeof value === 'object' && value !== null ? digestOnce(value, compute) : compute();
};

/** Returns the digest of a document that the engine made and froze with `deepFreeze`; see `textOfFixed`. */
export const digestOfOwn = (value: object, document: string): string =>
  digestOnce(value, () => hashOfText(textOfFixed(value, document)));

/** Returns the digest of a part of a frozen copy, which was checked when it was made. */
export const digestOfPart = (part: unknown): string => hashOfText(textOfFixed(part));

/** Returns whether a value has the form of a digest: `sha256:` and 64 lower-case hex digits. */
export const isDigest = (value: unknown): value is string =>
  typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
