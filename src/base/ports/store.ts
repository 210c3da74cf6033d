import type { DeadlineOf } from '../../../machines/index.ts';
import type { Emission } from './emission.ts';
import type { LedgerRecord } from './ledger.ts';
import type { PrunedTask, Retention } from './retention.ts';
import type { Needs, TaskIndexEntry } from './task-index.ts';
import type { Claim, Pause, Regulated, Regulation } from './regulation.ts';
import type { Workload } from './workload.ts';

export type { Needs, TaskIndexEntry } from './task-index.ts';

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

/** What a process can perform: `take` gives it no other tasks. */
export interface Capabilities {
  /** The versions of the chart that it reads or carries over; empty text for version 1. */
  readonly charts: readonly string[];
  readonly taskClasses: readonly string[];
  readonly tools: readonly string[];
  /** The task classes whose agents it runs: of the others it takes no task that waits for a turn. */
  readonly agents: readonly string[];
}

/**
 * The right to perform the duties of a task. It ends when it is let go, or when another connection takes the task after
 * the lease of its store.
 */
export interface Hold {
  /** `null` for every task of the store, also for those that begin later. */
  readonly taskId: string | null;
  /** The fencing token: each later hold of the task has a larger one. */
  readonly fence: number;
  /**
   * The last earlier hold that was not let go: its fence, and the milliseconds since its lease passed. Its holder may
   * be slow rather than gone, and its effects may still happen. `null` for none.
   */
  readonly lapsed: { readonly fence: number; readonly ago: number } | null;
  /** The number of holds before it that lapsed in a row, without a record of their holders. */
  readonly attempts: number;
}

/** One step of a task: a record, the resulting state, and the emitted documents. */
export interface Step {
  readonly taskId: string;
  /**
   * The fence of the hold under which it was performed. `null` for a step that anyone may write, such as a person's
   * answer. A first step with a fence begins a task that is held: the fence is that of the hold of all tasks, or else
   * `firstFence`.
   */
  readonly fence: number | null;
  /** `null` if they are unknown; those of an earlier step remain. */
  readonly needs: Needs | null;
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
  /** What it begins and ends, for pauses and quotas; `null` for nothing. The places of a task are free once it is settled. */
  readonly regulated: Regulated | null;
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
 * The answer to a step; the first that applies, and only `ok` wrote anything. `fenced`: its fence is not that of the
 * current hold. `duplicate`: the key was used before. `conflict`: the record's number is not the next one. `held`: what it
 * begins is paused, or a quota is full. `spent`: an approval was already used.
 */
export type Committed = 'ok' | 'fenced' | 'duplicate' | 'conflict' | 'held' | 'spent';

/** A step of a task as its store has it, with `null` in place of each erased document. */
export interface StoredStep {
  readonly record: LedgerRecord;
  readonly emissions: readonly (Emission | null)[];
}

/** All that a store has of a task but its names, for another store. */
export interface TaskCopy extends Pick<Hold, 'lapsed' | 'attempts'> {
  readonly indexEntry: TaskIndexEntry;
  /** `null` if the store does not keep them. */
  readonly needs: Needs | null;
  readonly steps: readonly StoredStep[];
  readonly snapshot: string;
  readonly deadlines: readonly Deadline[];
  readonly intents: readonly Intent[];
  readonly claims: readonly Omit<Claim, 'most'>[];
  /** The largest fence of its holds so far. */
  readonly fence: number;
  /** Whether a process holds it now; always `false` in a store with a lock. */
  readonly isHeld: boolean;
}

/** The kinds of names in a store: idempotency keys, messages, and approvals (`jti`). */
export type NameKind = 'key' | 'message' | 'approval';

/** A name in a store: the record that has it, or the action that an approval was used for. */
export interface StoredName {
  readonly name: string;
  /** The task; of an approval, the action. */
  readonly of: string;
  readonly seq: number;
}

/** Moves tasks between stores. */
export interface Transfer {
  /** Throws `store_owned` if another process uses a store without a lock, as far as the store can tell. */
  readonly checkUnused: () => Promise<void>;
  readonly readTask: (taskId: string) => Promise<TaskCopy | undefined>;
  /**
   * Writes a task whole. `conflict` if there is one of this id. The task is not performed before `release`. Later holds have
   * larger fences than those of the copy; with a lock, the current hold of the store ends.
   */
  readonly writeTask: (copy: TaskCopy) => Promise<'ok' | 'conflict'>;
  /**
   * Returns a page of names in an order of the store, at most `limit` of them after a name. The records of one message
   * are in one page, oldest first.
   */
  readonly readNames: (kind: NameKind, after: string | null, limit: number) => Promise<readonly StoredName[]>;
  /**
   * Writes names of tasks that were written. `conflict`, and nothing is written, if one of them belongs to another task
   * or action. Names that are there already are kept.
   */
  readonly writeNames: (kind: NameKind, names: readonly StoredName[]) => Promise<'ok' | 'conflict'>;
  /** Returns a page of pruned tasks in an order of the store, after one of them. */
  readonly readPruned: (after: string | null, limit: number) => Promise<readonly PrunedTask[]>;
  /** Writes pruned tasks that the store does not have. */
  readonly writePruned: (tasks: readonly PrunedTask[]) => Promise<void>;
  /** Writes pauses that the store does not have. */
  readonly writePauses: (pauses: readonly Pause[]) => Promise<void>;
  /** Lets every written task be performed. */
  readonly release: () => Promise<void>;
}

/** One task that is to be taken; also without duties if `mayRest`. */
export type OnlyTask = Readonly<{ taskId: string; mayRest: boolean }>;

/** The fence of a task that begins with a hold of its own. */
export const firstFence = 1;

/**
 * A store of tasks. `commit` writes a whole step or nothing, also if it throws. A step that returned `ok` survives
 * any crash.
 *
 * A connection performs the duties of the tasks that it holds. A task has one holder at a time, and the fence of its
 * hold is checked in the transaction of each write. Steps without a fence may be written by any connection.
 *
 * A store for one machine holds all tasks at once, by a lock. Once another connection took it over, every write of this
 * one throws `store_owned`. A store for several machines holds each task by a lease.
 */
export interface Store extends Workload, Regulation, Retention {
  /** Milliseconds after which a hold lapses unless it is kept. `Infinity` if `take` takes all tasks, by a lock. */
  readonly lease: number;
  /**
   * Takes tasks that have duties or due deadlines and no holder, at most `limit`; with `only`, that one. The fence of each
   * is larger than before. With a lock, takes all tasks by one hold, or returns that hold again.
   *
   * Throws `store_owned` while another connection has the lock, and for good once another one took it over.
   */
  readonly take: (capabilities: Capabilities, limit: number, only?: OnlyTask) => Promise<readonly Hold[]>;
  /** Renews the leases of these holds, counted from before the call; returns those that this connection still has. */
  readonly keep: (holds: readonly Hold[]) => Promise<readonly Hold[]>;
  /** Returns the milliseconds since the store itself began to renew all its leases, beside a busy event loop; `Infinity` for never. */
  readonly renewedAgo?: () => number;
  /** Lets these holds go, so that others may take them at once. Nothing may be in flight under them. */
  readonly letGo: (holds: readonly Hold[]) => Promise<void>;
  /**
   * Returns the time of the store, in milliseconds since 1970, as carried on from its last answer. `null` if the clock of
   * this machine counts, or if it has not answered yet.
   */
  readonly now: () => number | null;
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
  /** Finds the task, also a pruned one, that emitted the message, or has a step of this key, and the number of its record. */
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
  /** Calls `changed` for tasks that others may have changed since the next operation. Returns a function that stops it. */
  readonly watch: (changed: (taskIds: readonly string[]) => void) => () => void;
  /** Removes every document of this digest from a task's records and emissions, and appends the record of the erasure. */
  readonly erase: (step: Step, digest: string) => Promise<'ok' | 'fenced' | 'conflict'>;
  /** Moves tasks to and from another store. */
  readonly transfer: Transfer;
  readonly close: () => Promise<void>;
}
