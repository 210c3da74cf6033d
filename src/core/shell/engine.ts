import type { CallerOutcome, ClearedForCaller } from '../../base/ports/caller.ts';
import type { TaskView } from '../kernel/view.ts';
import type { Ports } from './duties/performer.ts';
import type { Offered } from './go-on.ts';
import type { Submission } from './submission.ts';
import type { Keyed, Orchestrator } from './surface.ts';

type Submitted = Promise<{ readonly taskId: string; readonly threadId: string }>;

/** An orchestrator, and what a guard needs beside it. */
export interface Engine extends Pick<Ports, 'blobs' | 'callers'> {
  readonly orchestrator: Orchestrator;
  /** Submits a task as `Orchestrator.submit` does; calls `onTaskId` before a new one begins. */
  readonly submit: (given: Submission, keyed?: Keyed, onTaskId?: (id: string) => void) => Submitted;
  /** Returns the current view of a task. Throws `not_found`. */
  readonly view: (taskId: string) => Promise<TaskView>;
  /** Proposes calls of an agent in its own host while people are asked to approve others. Throws `not_found`. */
  readonly offer: (taskId: string, output: unknown) => Promise<Offered>;
  /** Saves the state of a task's agent. Throws `not_found`, and what `saveAgentState` throws. */
  readonly saveAgentState: (taskId: string, state: unknown) => Promise<void>;
  /** Returns what the caller of a call needs to perform it; `null` if it is not cleared. */
  readonly clearedFor: (taskId: string, ref: string) => Promise<ClearedForCaller | null>;
  /** Records what the caller of a call reports. Throws `not_found` and `fact_refused`. */
  readonly report: (taskId: string, ref: string, outcome: CallerOutcome) => Promise<void>;
  /** Returns the current view of a task, if it is in memory. */
  readonly peek: (taskId: string) => TaskView | undefined;
  /** Takes a task for an agent of this process: throws `task_held`. `null` if this process performs all tasks. */
  readonly takeForAgent: ((taskId: string) => Promise<void>) | null;
}
