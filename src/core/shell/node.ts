import type { Recovery } from './surface.ts';

/** What decides which tasks a process performs, where several share a store: it holds them one by one. */
export interface Node {
  /** Begins to take and keep tasks. */
  readonly open: () => Promise<void>;
  /** Resumes every task with duties that it holds or may take. */
  readonly recover: () => Promise<Recovery>;
  /** Looks at once for what other processes changed: for tasks to take, and for children that ended. */
  readonly changed: (taskIds: readonly string[]) => void;
  /** Takes a task for an agent, if it has duties. Waits up to a lease for who performs it, then throws `task_held`; `closed` once stopped. */
  readonly takeForAgent: (taskId: string) => Promise<void>;
  /**
   * Takes a task for what is undone of it. Waits while another process performs it. Throws `closed`, and `not_found` if no
   * one performs it for a lease and this process cannot.
   */
  readonly takeToUndo: (taskId: string) => Promise<void>;
  /** Returns whether it may hold another task: what it has no room for, another process may begin to perform at once. */
  readonly hasRoom: () => boolean;
  /** Takes a task of an older chart that rests, which carries it over. Returns `false` if it cannot be taken. */
  readonly takeResting: (taskId: string) => Promise<boolean>;
  /** Takes and begins no more, and hands over what has nothing in flight. */
  readonly drain: () => void;
  /** Takes and keeps no more. */
  readonly stop: () => void;
  /** Lets go of all tasks that have no work in flight; the others lapse. */
  readonly letGo: () => Promise<void>;
}
