import type { RollbackAction } from '../../../schema/index.ts';

/** What a caller needs to perform a cleared call itself. */
export interface ClearedForCaller {
  /** The caller's name for the call. */
  readonly ref: string;
  /** The idempotency key of the effect. */
  readonly intent: string;
  /** The fencing token, for resources that refuse older ones; `null` if the task is not held. */
  readonly fence: number | null;
  /** RFC 3339. If the outcome is not reported by then, a read has failed and a write is in doubt. */
  readonly expiresAt: string;
}

/**
 * What came of a call, or of a rollback, that its caller performed: its result, that it certainly had no effect, or that the caller does
 * not know. A rollback has no result.
 */
export type CallerOutcome =
  | { readonly status: 'done'; readonly result?: unknown }
  | { readonly status: 'notDone' | 'unknown'; readonly explanation: string };

/** A rollback that the caller of a write performs. */
export interface CallerRollback {
  /** The caller's name for the call. */
  readonly ref: string;
  readonly tool: string;
  /** What was described before the write (UAICP 5.3). */
  readonly action: RollbackAction;
  /** The idempotency key of the rollback. */
  readonly intent: string;
}
