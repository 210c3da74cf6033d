import type { TaskSummary } from '../kernel/summary.ts';
import type { Pausable, Pause } from '../../base/ports/regulation.ts';
import type { Stats } from '../../base/ports/stats.ts';
import type { By } from './by.ts';

/** A task with duties, or a deadline that has passed, that nothing goes on with. */
export interface StuckTask extends TaskSummary {
  /** Since when it waits: its last record, or a deadline that has passed since (milliseconds since 1970). */
  readonly since: number;
  /** How many processes that held it ended, or stood still, in a row without a record. */
  readonly attempts: number;
  /** Whether a process holds it now. */
  readonly isHeld: boolean;
  /**
   * `process_ends`: processes that performed it ended. `not_taken`: no process takes it. `no_progress`: the owner of its store
   * recorded nothing. `paused`: its task class is.
   */
  readonly reason: 'process_ends' | 'not_taken' | 'no_progress' | 'paused';
  /** Why, what is expected, and what to do. */
  readonly message: string;
}

/** Which stuck tasks to return. */
export interface StuckQuery {
  /** Milliseconds without a record; 300,000 by default. */
  readonly after?: number;
  /** At most so many: 1 to 1,000, by default 100. */
  readonly limit?: number;
}

/** Who pauses, and why. */
export type ByReason = By & {
  /** One line of 1 to 200 characters, for those whose work waits. */
  readonly reason: string;
};

/** Which settled tasks are removed for good. */
export interface PruneOptions {
  /** A Date, or milliseconds since 1970: tasks whose last record is older. */
  readonly settledBefore: Date | number;
  /** Returns whether a task stays, and with it its thread, such as for a dispute. */
  readonly keep?: (task: TaskSummary) => boolean | Promise<boolean>;
  /** Receives the ledger of each task as JSON Lines, before it is removed: `agentcharter ledger verify` reads it. A task that then stays is archived again the next time. */
  readonly archive?: (lines: string, taskId: string) => void | Promise<void>;
  readonly onProgress?: (done: Pruned) => void;
  readonly signal?: AbortSignal;
}

/** What was removed, and what of that age stays: with an open or a newer task in its thread, to be kept, still held, or last in a file. */
export interface Pruned {
  readonly pruned: number;
  readonly kept: number;
}

/** How a task stands that was performed until it rests. */
export interface Rested {
  readonly taskId: string;
  readonly isSettled: boolean;
  /** Whether a process has something to do for it: it was lost, waits for a process that has its agent, or for a task that it began and goes on here. */
  readonly isOwed: boolean;
  /** When it is to be performed again at the latest, though no one answers (milliseconds since 1970); `null` for never. */
  readonly next: number | null;
}

/** What an operator asks of an orchestrator, and does with tasks that nothing goes on with. */
export interface Operator {
  /** Returns the figures of the store and of this process. Costs the same for any number of tasks beyond 10,000 of a kind. */
  readonly stats: () => Promise<Stats>;
  /**
   * Returns the tasks with duties, or a deadline that has passed, that nothing goes on with, the former as they began: those whose processes ended three times in a row, and
   * those that no process holds. End one with `cancel`. Throws `document_invalid`.
   */
  readonly stuck: (query?: StuckQuery) => Promise<readonly StuckTask[]>;
  /**
   * Performs one task until it rests: it is settled, or waits for people, others or time. For a queue that decides when, with `takes: false`. Of
   * several calls for one task, one performs it. When the `signal` aborts, this rejects with its reason: calls under way end, and the task is
   * let go then.
   *
   * Throws `task_held` while another process performs the task, and `not_found` if there is none, or this process cannot perform it.
   */
  readonly perform: (taskId: string, options?: { readonly signal?: AbortSignal }) => Promise<Rested>;
  /**
   * Begins nothing more under a tool, a task class or an agent, in any process with the store, until `resume`: no call, and no turn of a
   * model. Calls in flight end, writes are undone where they must be, and requests and answers are taken; deadlines of the work that waits
   * do not run. From when this resolves no call begins. Returns `false` if it is paused already: that reason stays.
   *
   * Throws `document_invalid`, and `not_found` for a tool or a task class that this process, an owner, does not have.
   */
  readonly pause: (of: Pausable, who: ByReason) => Promise<boolean>;
  /** Ends a pause: its work goes on within a second. Returns `false` if there is none. Throws as `pause`. */
  readonly resume: (of: Pausable, who: By) => Promise<boolean>;
  /** Returns the pauses that last, oldest first; with `ended`, the last 1,000 of all. */
  readonly pauses: (which?: { readonly ended?: boolean }) => Promise<readonly Pause[]>;
  /**
   * Removes settled tasks for good, with what they keep beside their ledgers, thread by thread: a thread goes when all of its tasks, calls
   * included, settled before a time. Their idempotency keys, messages and used approvals stay taken, and the hash of each last record stays:
   * who names such a task gets `task_pruned`. Others work meanwhile. It may be repeated, also after an error.
   *
   * Throws `document_invalid`, what `archive` or `keep` throws, and the reason of the `signal`.
   */
  readonly prune: (options: PruneOptions) => Promise<Pruned>;
  /** Lets a task be taken at once, as if no process had ended with it. Throws `not_found`, also for a settled one, or `task_held` if one performs it. */
  readonly retry: (taskId: string) => Promise<void>;
  /**
   * Lets a task be taken at once, and the model, policy, verifier or look-up that it waits for not be called: people or the gates
   * decide. In a store with a lock it is as `retry`. Throws `not_found` or `task_held`.
   */
  readonly skip: (taskId: string) => Promise<void>;
}
