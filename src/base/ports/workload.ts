import type { Needs, TaskIndexEntry } from './task-index.ts';

/** Of a kind of tasks, at most so many are looked at: those that began first. */
export const mostCounted = 10_000;

/** Tasks of one kind; at most `mostCounted` are counted. */
export interface Backlog {
  readonly tasks: number;
  /** Since when the first of them waits, in milliseconds since 1970; `null` for none. */
  readonly since: number | null;
}

/** What a store has to do. */
export interface StoreFigures {
  /** Tasks with duties; each waits since its last record. */
  readonly owed: Backlog;
  /** Of these, those that this connection holds by a lease. */
  readonly held: number;
  /** Of these, those that others hold by a lease. */
  readonly heldElsewhere: number;
  /** Tasks with open questions; each waits since its last record. */
  readonly asking: Backlog;
  /** Tasks whose first deadline has passed; each waits since then. */
  readonly overdue: Backlog;
}

/** A task with duties, or a deadline that has passed, that nothing goes on with, as far as its store can tell. */
export interface StalledTask {
  readonly indexEntry: TaskIndexEntry;
  /** Since when: its last record, or else its first deadline (milliseconds since 1970). */
  readonly since: number;
  /** `null` if they are unknown. */
  readonly needs: Needs | null;
  /** The holds that lapsed in a row without a record of their holders; 0 in a store with a lock. */
  readonly attempts: number;
  /** Whether a connection holds it by a lease now. */
  readonly isHeld: boolean;
}

/** What a store tells an operator. */
export interface Workload {
  /** `now` in milliseconds since 1970. */
  readonly figures: (now: number) => Promise<StoreFigures>;
  /**
   * Returns tasks with duties or a deadline that has passed, at most `limit` of the first `mostCounted` of each, the former as they began: those
   * whose holds lapsed `attemptLimits.backOff` times, and those that no connection holds by a lease and that wait since `before` or earlier
   * (milliseconds since 1970).
   */
  readonly stalled: (before: number, limit: number) => Promise<readonly StalledTask[]>;
  /**
   * Sets the number of holds that lapsed in a row, and lets the task be taken at once. Returns `false` if a connection holds it, or if the
   * store has no leases.
   */
  readonly setAttempts: (taskId: string, attempts: number) => Promise<boolean>;
}
