import type { ReasonCode, UpFormatMessage } from '../../../schema/index.ts';
import type { OutputOf, TaskClasses, TaskClassId, ToolNameIn } from '../../base/define/inferred.ts';
import type { Feedback } from '../../base/feedback/feedback.ts';
import type { AgentIdentity } from '../../base/ports/agent-identity.ts';
import type { Emission } from '../../base/ports/emission.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import type { Payload } from '../../base/ports/schema.ts';
import type { TaskCounts, TaskOrder } from '../../base/ports/store.ts';
import type { InboxEntry, Settled, TaskId, TaskSummary } from '../kernel/summary.ts';
import type { By } from './by.ts';
import type { Listener, OrchestratorEvents } from './events.ts';
import type { Operator } from './operator-surface.ts';
import type { Progress } from './progress.ts';
import type { Submission } from './submission.ts';

/** An idempotency key: of several sends with one key, the first counts. */
export interface Keyed {
  readonly key?: string;
}

/** How an orchestrator closes. */
export interface Closing {
  /** Milliseconds in which calls under way may end; 0 by default, at most a day. */
  readonly drain?: number | undefined;
}

/** Whether an orchestrator can take requests. */
export interface Readiness {
  readonly isReady: boolean;
  /** Why not: `closed`, `draining`, or the code of the store's error. */
  readonly reasons: readonly string[];
}

/** Why something was refused. */
export interface Refusal {
  readonly code: ReasonCode;
  readonly explanation: string;
}

/**
 * Something that an open task will meet and that is not as the task recorded it: a tool, a verifier or a task class of your
 * application changed between two releases.
 */
export interface Change {
  readonly taskId: string;
  /**
   * `tool_missing`: no tool has, or had, the recorded name. `arguments_refused`, `contract_changed`: the tool does not make the recorded
   * call any more, by its schema, or by its version, tier, rollback, `doubt` or `flows`. `rollback_missing`: a write that was made
   * cannot be undone. `verifier_missing`: a gate asks a verifier that is gone. `class_missing`: the task cannot be loaded.
   * `class_changed`: the task class is stricter than when the task began.
   */
  readonly kind:
    | 'tool_missing'
    | 'arguments_refused'
    | 'contract_changed'
    | 'rollback_missing'
    | 'verifier_missing'
    | 'class_missing'
    | 'class_changed';
  /** The recorded name of the tool, the verifier or the task class. */
  readonly name: string;
  /** What the task meets, what is accepted, and what to do. */
  readonly message: string;
  /** Whether the task cannot go on. Otherwise it plans again, or people are asked again. */
  readonly stops: boolean;
}

/** The result of resuming the tasks of a store. */
export interface Recovery {
  /** The number of tasks that were resumed. */
  readonly taken: number;
  /** Tasks that were carried over to this version of the chart. */
  readonly carriedOver: readonly string[];
  /** Tasks that could not be resumed, with the error. */
  readonly refused: readonly { readonly taskId: string; readonly error: unknown }[];
  /**
   * What these tasks, and those with open questions, meet that is not as they recorded it; as they were before they were
   * resumed, at most 1,000 of each. Tasks with open questions are compared by what their questions show, and loaded only if
   * that differs. For all open tasks, run `agentcharter upgrade --check --config`.
   */
  readonly changed: readonly Change[];
}

/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** The `after` of the next page; `null` if this is the last one. */
  readonly next: string | null;
}

/** Which page to read. */
export interface PageQuery {
  /** The maximum number of tasks of the page: 1 to 1,000. */
  readonly limit: number;
  /** The `next` of the page before; none or `null` for the first page. */
  readonly after?: string | null;
}

/** A filter for tasks; every given condition must hold. */
export interface TaskFilter {
  readonly taskId?: string;
  readonly threadId?: string;
  /** This task, its calls, and the calls of those. */
  readonly within?: string;
  readonly isSettled?: boolean;
  /** Whether the task has open questions. */
  readonly isAsking?: boolean;
}

/** A page of tasks: by default in the order in which they began. */
export interface TaskPageQuery extends PageQuery, TaskFilter {
  readonly order?: 'began' | 'newest';
}

/**
 * A page of the inbox: the questions of at most `limit` tasks, by default in the order in which the tasks began.
 *
 * `urgent` is the order of `byPriority`, by the most urgent question of each task. A comment moves a task in this
 * order, so a question can be missed between two pages: use it for screens.
 */
export interface InboxPageQuery extends PageQuery {
  /** Only questions of this task, its calls, and the calls of those. */
  readonly within?: string;
  readonly order?: TaskOrder;
}

/**
 * Owns state and transitions (UAICP 2): it accepts facts, records them first, then performs the duties. All results
 * are deeply frozen.
 */
export interface Orchestrator<Classes extends TaskClasses = TaskClasses> extends Operator, AsyncDisposable {
  /**
   * Resumes every task with duties or due deadlines, and loads no task that waits for others, unless its question shows a
   * tool that changed. Before that, it carries open tasks of an older version of the chart over to this one.
   *
   * Throws `store_owned`. A task that cannot be resumed does not affect the others.
   */
  readonly recover: () => Promise<Recovery>;
  /**
   * Begins a task; of several submissions with one key, only the first. Throws `document_invalid`, `not_found` or
   * `key_reused`.
   */
  submit<Id extends TaskClassId<Classes>>(
    this: void,
    request: Submission<Id, ToolNameIn<Classes, Id>>,
    options?: Keyed,
  ): Promise<{ readonly taskId: TaskId<OutputOf<Classes, Id>>; readonly threadId: string }>;
  /**
   * Answers the question whose message `feedback.target` names. Throws `feedback_refused`; the question then stays
   * open.
   */
  readonly respond: (feedback: Feedback, who: By & Keyed & { readonly approval?: string }) => Promise<void>;
  /**
   * Receives another agent's message, which enters the thread as it came. Its state meets a dependency on the agent;
   * its `upFeedback` is a review, which answers no question (UpFormat 2.2). Of several with one `messageId` and
   * sender, only the first counts.
   *
   * `from` is the sender that you authenticated. Throws `message_refused` if no task of the thread waits for this
   * agent of this owner and the message is no feedback on one of the thread, if it names another agent, if its
   * `messageId` is taken, or if the task has 1,000 messages of others.
   */
  readonly receive: (message: unknown, from: AgentIdentity) => Promise<void>;
  /** Meets a dependency: the waiting call is retried with `value`. */
  readonly resolve: (taskId: string, dependency: string, value: unknown, who: By & Keyed) => Promise<void>;
  /** Submits a fact from outside; only `dependency.met` or `task.cancelled`. */
  readonly tell: (taskId: string, fact: unknown, who: By & Keyed) => Promise<void>;
  /** Records that the agent tried something that was refused, and why; changes no state. */
  readonly refuse: (taskId: string, why: Refusal) => Promise<void>;
  /**
   * Cancels a task: a call in flight ends first, and what the run wrote is undone. With `urgent`, the `signal` of every tool
   * aborts at once, also of a task that is cancelled already. What such a tool may have done is looked up, or stays in doubt.
   */
  readonly cancel: (taskId: string, who: By & Keyed & { readonly urgent?: boolean }) => Promise<void>;
  /** Waits for the end of a task. */
  settled<Output extends Payload>(this: void, taskId: TaskId<Output>): Promise<Settled<Output>>;
  settled(this: void, taskId: string): Promise<Settled<OutputOf<Classes>>>;
  /** Returns a task: its state and outcome, its calls, their evidence, what it waits for. Throws `not_found`. */
  readonly task: (taskId: string) => Promise<Progress>;
  /** @deprecated Use `task`. */
  readonly progress: (taskId: string) => Promise<Progress>;
  /**
   * Returns all tasks that match, or with `limit` a page of them. Throws `document_invalid` for an invalid filter, limit or
   * cursor, and `not_found` for a cursor of another store.
   */
  readonly list: {
    (page: TaskPageQuery): Promise<Page<TaskSummary>>;
    (filter?: TaskFilter): Promise<readonly TaskSummary[]>;
  };
  /**
   * Returns the questions that wait for a person: all, or those of one task and its children. With `limit`, returns a
   * page of them; throws as `list` does.
   */
  readonly inbox: {
    (page: InboxPageQuery): Promise<Page<InboxEntry>>;
    (taskId?: string): Promise<readonly InboxEntry[]>;
  };
  /** Returns how many tasks and open questions there are. Costs the same for any number of tasks. */
  readonly counts: () => Promise<TaskCounts>;
  /**
   * Returns the tasks in whose inbox the question of a message is or was, outermost first. `null` if the message has
   * no question.
   */
  readonly questionPath: (messageId: string) => Promise<readonly string[] | null>;
  readonly thread: (threadId: string) => Promise<readonly UpFormatMessage[]>;
  readonly ledger: (taskId: string) => Promise<readonly LedgerRecord[]>;
  /** Returns every document that a task emitted, in order. */
  readonly documents: (taskId: string) => Promise<readonly Emission[]>;
  /**
   * Removes every document of this digest from a settled task. The ledger keeps the digest and records the actor. A
   * document that quotes it has its own digest. Throws `task_unsettled` or `not_found`.
   */
  readonly erase: (taskId: string, digest: string, who: By) => Promise<void>;
  readonly on: <Name extends keyof OrchestratorEvents>(
    name: Name,
    listener: Listener<OrchestratorEvents[Name]>,
  ) => () => void;
  /** Returns whether requests can be taken, and why not; asks the store. Throws nothing. */
  readonly readiness: () => Promise<Readiness>;
  /**
   * Aborts work in flight, and closes the clock and the store; tasks stay as recorded. With `drain` it first performs nothing
   * more, lets calls of models and tools end, and hands each task over that has none; what comes meanwhile is recorded, for
   * who performs it next. Another `close()` ends this. Throws `document_invalid`.
   */
  readonly close: { (): Promise<void>; (options: Closing): Promise<void> };
}
