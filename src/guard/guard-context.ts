import type { Callers } from '../core/shell/callers.ts';
import type { CallerOutcome, ClearedForCaller } from '../base/ports/caller.ts';
import type { Proposals } from '../core/kernel/projection/proposals.ts';
import type { Offered } from '../core/shell/go-on.ts';
import type { Orchestrator } from '../core/shell/surface.ts';
import type { TaskView } from '../core/kernel/view.ts';
import type { Tool } from '../base/ports/tool.ts';

/** The dependencies that all runs of a guard share. */
export interface GuardContext {
  readonly orchestrator: Orchestrator;
  /** Returns the proposals of a task's current request, read from its ledger. */
  readonly proposals: (taskId: string) => Promise<Proposals>;
  /** Returns the current view of a task. */
  readonly view: (taskId: string) => Promise<TaskView>;
  /** Proposes calls while people are asked to approve others. */
  readonly offer: (taskId: string, output: unknown) => Promise<Offered>;
  /** Returns arguments with each reference replaced by the value that it names in a task; as they are if one names nothing. */
  readonly resolved: (taskId: string, given: unknown) => Promise<unknown>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly callers: Callers;
  /** Returns what the caller of a call needs to perform it; `null` if it is not cleared. */
  readonly clearedFor: (taskId: string, ref: string) => Promise<ClearedForCaller | null>;
  /** Records what the caller of a call reports. Throws `not_found` and `fact_refused`. */
  readonly report: (taskId: string, ref: string, outcome: CallerOutcome) => Promise<void>;
  /** Returns what a task class does if the agent stated no confidence. */
  readonly unstated: (taskClass: string) => 'ask' | 'proceed';
  /** Returns the saved state of a task's agent; `null` for none. */
  readonly savedState: (taskId: string) => Promise<unknown>;
  /** Returns a value of a task with what is kept beside its ledger. */
  readonly joined: (taskId: string, value: unknown) => Promise<unknown>;
  readonly saveState: (taskId: string, state: unknown) => Promise<void>;
  /** Takes a task for its agent: throws `task_held`. `null` if this process performs all tasks. */
  readonly takeForAgent: ((taskId: string) => Promise<void>) | null;
  /** Whether the guard runs agents of a task class. */
  readonly runsAgent: (taskClass: string) => boolean;
  /** Starts the agent of a run, if one is due and no one runs it. */
  readonly runAgent: (taskId: string) => void;
  /** Whether the guard performs nothing more. */
  readonly isClosing: () => boolean;
  readonly freshRef: () => string;
  /** Calls `then` after the calls of one agent step have arrived. */
  readonly gather: (then: () => void) => void;
}
