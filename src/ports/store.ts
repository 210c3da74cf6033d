import type { DeadlineOf } from '../../machines/index.ts';
import type { Emission } from './emission.ts';
import type { LedgerRecord } from './ledger.ts';

/** A deadline that is running: what it is of, and when it passes (milliseconds since 1970). */
export interface Deadline {
  readonly of: DeadlineOf;
  readonly id: string;
  readonly at: number;
}

/** An effect that has begun and has no outcome yet: what a crash leaves in doubt. */
export interface Intent {
  readonly kind: 'call' | 'rollback';
  /** The idempotency key that its tool was given. */
  readonly key: string;
  readonly tool: string;
}

/** What is known of a task without loading it. */
export interface TaskIndexEntry {
  readonly taskId: string;
  readonly threadId: string;
  /** The task that this one is a call of. */
  readonly parent: string | null;
  /** How many records it has: the number of the next one. */
  readonly size: number;
  /** The hash of its last record. */
  readonly head: string;
  /** When that was written (milliseconds since 1970). */
  readonly at: number;
  readonly isSettled: boolean;
  /** Whether it waits for its orchestrator to do something, and not only for people, others and time. */
  readonly isOwed: boolean;
  /** How many questions it has open. */
  readonly asking: number;
  /** How it stands, as its orchestrator tells it: JSON, read by nobody else. */
  readonly summary: string;
}

/** One step of a task: a record, the state that it led to, and the documents that it gave cause to emit. */
export interface Step {
  readonly taskId: string;
  /** Makes a repeated send harmless: of two steps with one key, of any task, the first is written; `null` for none. */
  readonly key: string | null;
  readonly record: LedgerRecord;
  /** `null` for a record that changed no state. */
  readonly snapshot: string | null;
  readonly indexEntry: TaskIndexEntry;
  /** All that run after the step, the next one first. */
  readonly deadlines: readonly Deadline[];
  /** All that are open after the step. */
  readonly intents: readonly Intent[];
  readonly emissions: readonly Emission[];
  /** Names of approvals (`jti`) that this step uses up: no other action, of any task, may ever use them. */
  readonly consumedApprovals: readonly { readonly jti: string; readonly action: string }[];
}

/** A task as it is stored, read in one piece. */
export interface StoredTask {
  readonly indexEntry: TaskIndexEntry;
  readonly snapshot: string;
  readonly records: readonly LedgerRecord[];
  readonly emissions: readonly Emission[];
  readonly deadlines: readonly Deadline[];
  readonly intents: readonly Intent[];
}

/** Which tasks are meant: all conditions that are given hold. */
export interface Which {
  readonly taskId?: string;
  readonly threadId?: string;
  readonly parent?: string;
  /** Whether it is a call of another. */
  readonly isNested?: boolean;
  readonly isSettled?: boolean;
  readonly isOwed?: boolean;
  readonly isAsking?: boolean;
}

/** `duplicate`: its key was used before. `conflict`: its number is not the next. `spent`: an approval was used for another action, or here or later already. */
export type Committed = 'ok' | 'duplicate' | 'conflict' | 'spent';

/**
 * Where tasks are kept. `commit` writes a whole step or nothing, also where it throws, and what it answered `ok` to is
 * there after any crash.
 *
 * No two owners write: `commit` and `erase` of an owner that another one followed, by whatever way, throw `store_owned` and
 * write nothing. They find that out in the transaction of the write. A store that never owned its tasks is a guest, and
 * writes at any time.
 */
export interface Store {
  /**
   * Makes this the one that performs what tasks owe, until it closes or its process ends, and never by time alone: a
   * lease that lapses under a live holder lets two perform.
   *
   * Throws `store_owned` while another one is, and for good once another one took over from this one.
   */
  readonly own: () => Promise<void>;
  readonly commit: (step: Step) => Promise<Committed>;
  readonly load: (taskId: string) => Promise<StoredTask | undefined>;
  /** In the order in which they began. */
  readonly taskIndex: (which?: Which) => Promise<readonly TaskIndexEntry[]>;
  /** The task that said the message of this `messageId`, or that has a step of this key, and the number of its record. */
  readonly find: (
    by: { readonly message: string } | { readonly key: string },
  ) => Promise<{ readonly taskId: string; readonly seq: number } | undefined>;
  /** Tasks with deadlines at or before `until`, the first due first, and when the next one after it passes. */
  readonly due: (
    until: number,
  ) => Promise<{ readonly taskIds: readonly string[]; readonly next: number | null }>;
  /** Tells of tasks that anybody else may have changed since; returns what ends it. */
  readonly watch: (changed: (taskIds: readonly string[]) => void) => () => void;
  /** Takes every document of this digest out of a task's records and emissions, and appends the record that says so. */
  readonly erase: (step: Step, digest: string) => Promise<'ok' | 'conflict'>;
  readonly close: () => Promise<void>;
}
