import { hash } from 'node:crypto';
import { canonicalize } from './canonicalize.ts';

/**
 * The digest of a value: `sha256:` and the lower-case hex of SHA-256 over the UTF-8 of its canonical text (RFC 8785).
 *
 * Throws `input_unreadable` as `canonicalize` does.
 */
export const digest = (value: unknown, document?: string): string =>
  `sha256:${hash('sha256', canonicalize(value, document))}`;

/** Whether a value is written as a digest is: `sha256:` and 64 lower-case hex digits. */
export const isDigest = (value: unknown): value is string =>
  typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
