import { hash } from 'node:crypto';
import { canonicalize } from './canonicalize.ts';

/**
 * Returns the digest of a value: `sha256:` and the lower-case hex SHA-256 of its canonical text in UTF-8 (RFC 8785).
 *
 * Throws `input_unreadable` as `canonicalize` does.
 */
export const digest = (value: unknown, document?: string): string =>
  `sha256:${hash('sha256', canonicalize(value, document))}`;

/** Returns whether a value has the form of a digest: `sha256:` and 64 lower-case hex digits. */
export const isDigest = (value: unknown): value is string =>
  typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
