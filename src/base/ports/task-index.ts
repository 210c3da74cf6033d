/** Facts about a task that are available without loading it. */
export interface TaskIndexEntry {
  readonly taskId: string;
  readonly threadId: string;
  /** The parent task, if this task is a call of it. */
  readonly parent: string | null;
  /** The number of records, which is also the number of the next one. */
  readonly size: number;
  /** The hash of its last record. */
  readonly head: string;
  /** When the last record was written (milliseconds since 1970). */
  readonly at: number;
  readonly isSettled: boolean;
  /**
   * Whether the orchestrator has something to do for the task now. It is false while the task waits for people,
   * others or time only.
   */
  readonly isOwed: boolean;
  /** The number of open questions. */
  readonly asking: number;
  /** The number of dependencies on others that it waits for. */
  readonly awaits: number;
  /**
   * The sort key of its most urgent question, in ASCII: a smaller one is more urgent. Empty without questions, and
   * for entries of earlier versions.
   */
  readonly rank: string;
  /** The version of its chart; empty for version 1. */
  readonly chart: string;
  /** The task summary as JSON; only the orchestrator reads it. */
  readonly summary: string;
}

/** What a process must have to perform a task. */
export interface Needs {
  readonly taskClass: string;
  /** The names of the tools that the task may call. */
  readonly tools: readonly string[];
  /** Whether its agent must take a turn, and nothing else can be done. */
  readonly isTurn: boolean;
}
