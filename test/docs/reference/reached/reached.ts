import type { ErrorCode, ErrorDetails } from 'agentcharter';

/** Declares what an error must leave as it is. It is read now, and again after the error. */
export type Unchanged = (read: () => Promise<unknown>) => Promise<void>;

/** The smallest use of the library that throws an error. */
export interface Reached<Code extends ErrorCode> {
  /** Throws the error, or returns the one that an `error` event reported. */
  readonly program: (unchanged: Unchanged) => unknown;
  /** The whole message, without what differs between two runs: `<id>`, `<folder>`, `<port>`. */
  readonly says: string;
  readonly details: Readonly<Record<keyof ErrorDetails[Code], unknown>>;
  /** The message of the original error, if the page promises it. */
  readonly cause?: string;
}

/** The programs of some codes. */
export type Programs<Code extends ErrorCode> = { readonly [Each in Code]: Reached<Each> };
