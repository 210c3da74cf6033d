import { CharterError } from '../../base/errors.ts';

/** A reading of both clocks at one instant. */
export interface Reading {
  /** The time of records: milliseconds since 1970, never less than before. */
  readonly at: number;
  /** Milliseconds since an arbitrary instant, for durations. */
  readonly monotonic: number;
}

/** The time at which something is taken. */
export interface Now extends Reading {
  /** What the clock shows, which may be behind `at`. */
  readonly present: number;
}

const [earliest, latest] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** Returns an instant in RFC 3339, UTC. Throws `document_invalid` for one outside the years 0 to 9999. */
export const rfc3339 = (at: number): string => {
  if (at >= earliest && at <= latest) return new Date(at).toISOString();
  const message = `expected milliseconds since 1970 within the years 0 to 9999, and not ${at}`;
  throw new CharterError('document_invalid', `clock.now() is not valid: ${message}`, {
    document: 'clock.now()',
    issues: [{ path: '', message }],
  });
};
