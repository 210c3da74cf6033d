import type { DeadlineOf } from '../../machines/index.ts';
import type { Emission } from './emission.ts';
import type { LedgerRecord } from './ledger.ts';

/** A running deadline: its subject and its time (milliseconds since 1970). */
export interface Deadline {
  readonly of: DeadlineOf;
  readonly id: string;
  readonly at: number;
}

/** An effect that began and has no outcome yet. A crash leaves it in doubt. */
export interface Intent {
  readonly kind: 'call' | 'rollback';
  /** The idempotency key that the tool received. */
  readonly key: string;
  readonly tool: string;
}

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

/** One step of a task: a record, the resulting state, and the emitted documents. */
export interface Step {
  readonly taskId: string;
  /** An idempotency key: of several steps with one key, in any task, only the first is written; `null` for none. */
  readonly key: string | null;
  readonly record: LedgerRecord;
  /** `null` for a record that changed no state. */
  readonly snapshot: string | null;
  readonly indexEntry: TaskIndexEntry;
  /** All deadlines that run after the step, earliest first. */
  readonly deadlines: readonly Deadline[];
  /** All intents that are open after the step. */
  readonly intents: readonly Intent[];
  readonly emissions: readonly Emission[];
  /** Names of approvals (`jti`) that this step uses up; no other action of any task may use them. */
  readonly consumedApprovals: readonly { readonly jti: string; readonly action: string }[];
}

/** A stored task, read atomically. */
export interface StoredTask {
  readonly indexEntry: TaskIndexEntry;
  readonly snapshot: string;
  readonly records: readonly LedgerRecord[];
  readonly emissions: readonly Emission[];
  readonly deadlines: readonly Deadline[];
  readonly intents: readonly Intent[];
}

/** A filter for tasks; every given condition must hold. */
export interface Which {
  readonly taskId?: string;
  readonly threadId?: string;
  readonly parent?: string;
  /** This task, its calls, and the calls of those. */
  readonly within?: string;
  /** Whether the task is a call of another. */
  readonly isNested?: boolean;
  readonly isSettled?: boolean;
  readonly isOwed?: boolean;
  readonly isAsking?: boolean;
  /** Whether the task is open and waits for no one: it is not owed, and has no question and no dependency. */
  readonly isIdle?: boolean;
  /** Only tasks whose chart has another version than this. */
  readonly otherChart?: string;
}

/**
 * `began`: as tasks began. `newest`: the reverse. `urgent`: by `rank`, then as tasks began; a task moves when its
 * rank changes.
 */
export type TaskOrder = 'began' | 'newest' | 'urgent';

/** A filter for tasks, and the page to read: by default all tasks, in the order in which they began. */
export interface TaskQuery extends Which {
  readonly order?: TaskOrder;
  /** The last entry of the page before, as it was read. */
  readonly after?: Pick<TaskIndexEntry, 'taskId' | 'rank'>;
  /** The maximum number of entries: a positive integer. */
  readonly limit?: number;
}

/** How many tasks a store has: all, the settled ones, and those with open questions; and how many open questions. */
export interface TaskCounts {
  readonly tasks: number;
  readonly settled: number;
  readonly asking: number;
  readonly questions: number;
}

/**
 * `duplicate`: the key was used before. `conflict`: the record's number is not the next one. `spent`: an approval
 * was already used.
 */
export type Committed = 'ok' | 'duplicate' | 'conflict' | 'spent';

/**
 * A store of tasks. `commit` writes a whole step or nothing, also if it throws. A step that returned `ok` survives
 * any crash.
 *
 * There is one owner at a time. After another store has taken over, `commit` and `erase` of the previous owner throw
 * `store_owned` and write nothing. They check this in the transaction of the write. A store that never called `own`
 * is a guest, and may write at any time.
 */
export interface Store {
  /**
   * Makes this store the owner, which performs the duties of tasks, until it closes or its process ends. Ownership
   * never expires by time alone: two live processes could then both perform.
   *
   * Throws `store_owned` while another store is the owner, and for good once another one took over from this one.
   */
  readonly own: () => Promise<void>;
  /** Writes a step whole, or nothing of it, and answers when it is on the disk. The step must not change meanwhile. */
  readonly commit: (step: Step) => Promise<Committed>;
  readonly load: (taskId: string) => Promise<StoredTask | undefined>;
  /**
   * Returns the matching tasks, or a page of them. A page costs as much in a store of many tasks as in a small one.
   * Throws `not_found` if the task of `after` is not in the store.
   *
   * The order in which tasks began never changes: a task that becomes visible to readers later has a later place.
   */
  readonly taskIndex: (query?: TaskQuery) => Promise<readonly TaskIndexEntry[]>;
  /** Returns the counts. Costs the same for any number of tasks. */
  readonly counts: () => Promise<TaskCounts>;
  /** Finds the task that emitted the message, or has a step of this key, and the number of its record. */
  readonly find: (
    by: { readonly message: string } | { readonly key: string },
  ) => Promise<{ readonly taskId: string; readonly seq: number } | undefined>;
  /**
   * Returns the tasks with deadlines at or before `until`, earliest first, and the time of the next deadline after
   * it.
   */
  readonly due: (
    until: number,
  ) => Promise<{ readonly taskIds: readonly string[]; readonly next: number | null }>;
  /** Calls `changed` for tasks that another process may have changed. Returns a function that stops it. */
  readonly watch: (changed: (taskIds: readonly string[]) => void) => () => void;
  /**
   * Removes every document of this digest from a task's records and emissions, and appends the record of the
   * erasure.
   */
  readonly erase: (step: Step, digest: string) => Promise<'ok' | 'conflict'>;
  readonly close: () => Promise<void>;
}
