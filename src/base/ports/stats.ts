/** How busy a limiter is. */
export interface Load {
  readonly most: number;
  readonly used: number;
  readonly waiting: number;
}

/** What a process has done since its orchestrator was created. Times in milliseconds. */
export interface Totals {
  /** Tasks that it took by a lease, beside those that it began. */
  readonly taken: number;
  /** Tasks that another process took over. */
  readonly lost: number;
  /** Renewals of its leases that came after more than half a lease. */
  readonly lateRenewals: number;
  /** Steps that were refused, because their task was held by another process. */
  readonly fenced: number;
  /** Steps that were stored. */
  readonly commits: number;
  /** How long it waited for its store to store them. */
  readonly commitTime: number;
  /** Large values that were kept beside ledgers, and their bytes. */
  readonly blobs: number;
  readonly blobBytes: number;
  /** Tokens that models said they read and wrote. */
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Tasks of one kind, and how long the first of them has waited, in milliseconds; 0 for none. */
export interface Age {
  readonly tasks: number;
  readonly age: number;
}

/** The figures of a store and of this process. Of owed, overdue and stuck tasks, at most 10,000, 10,000 and 1,000 are counted. */
export interface Stats {
  /** All tasks, those that are settled, and open questions. */
  readonly tasks: number;
  readonly settled: number;
  readonly questions: number;
  /** Tasks that a process has something to do for, and the time since the last record of one. */
  readonly owed: Age;
  /** Of these, those that this process holds, and those that others hold. */
  readonly held: number;
  readonly heldElsewhere: number;
  /** Tasks that wait for people. */
  readonly asking: Age;
  /** Tasks with a deadline that has passed. */
  readonly overdue: Age;
  /** Tasks that `stuck` returns. */
  readonly stuck: Age;
  /** Calls of models and tools under way here, and those that wait for one to end. */
  readonly slots: Load;
  /** What this process has done so far. */
  readonly totals: Totals;
}
