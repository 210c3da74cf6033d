/** What is left of a pruned task. Times are in milliseconds since 1970. */
export interface PrunedTask {
  readonly taskId: string;
  readonly threadId: string;
  /** The number of its records, and the hash of the last one: those of its archive. */
  readonly size: number;
  readonly head: string;
  /** When the last one was written. */
  readonly at: number;
  readonly prunedAt: number;
}

/** Removes settled tasks for good. Their idempotency keys, messages and used approvals stay taken. */
export interface Retention {
  /**
   * Removes all of these tasks, if each is settled, not held, and has so many records, and no other task is of their threads or
   * families; otherwise none, and it returns `false`. In a file, the tasks that began and that were written last stay.
   */
  readonly prune: (
    tasks: readonly { readonly taskId: string; readonly size: number }[],
    at: number,
  ) => Promise<boolean>;
  /** Finds a pruned task, or the last one of a thread. */
  readonly pruned: (
    by: { readonly taskId: string } | { readonly threadId: string },
  ) => Promise<PrunedTask | undefined>;
}
