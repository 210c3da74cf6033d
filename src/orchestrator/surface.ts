import type { ReasonCode, UpFormatMessage } from '../../schema/index.ts';
import type { Emission } from '../ports/emission.ts';
import type { Actor, LedgerRecord, Person } from '../ports/ledger.ts';
import type { Listener, OrchestratorEvents } from './events.ts';
import type { Submission } from './submission.ts';
import type { Progress } from './progress.ts';
import type { InboxEntry, Settled, TaskSummary } from './summary.ts';

/** Whom the host has authenticated: a person, unless it says otherwise (UAICP 5.4). */
export interface By {
  /** Their name, or all that is known of them: `mayRespond` is shown the whole, and with an answer it is recorded. */
  readonly by: string | Person;
  /** Of feedback it is always a person's. */
  readonly kind?: Actor['kind'];
}

/** A key that makes a repeated send harmless: what was sent first under it counts. */
export interface Keyed {
  readonly key?: string;
}

/** Why something was not let in. */
export interface Refusal {
  readonly code: ReasonCode;
  readonly explanation: string;
}

/** What became of the tasks that something was owed for. */
export interface Recovery {
  /** How many were taken up. */
  readonly taken: number;
  /** Tasks that were carried over to this version of the chart. */
  readonly carriedOver: readonly string[];
  /** Tasks that were left as they are, and why. */
  readonly refused: readonly { readonly taskId: string; readonly error: unknown }[];
}

/** Owns state and transitions (UAICP 2): facts in, ledger first, then the duties. What it returns is deeply frozen. */
export interface Orchestrator extends AsyncDisposable {
  /**
   * Takes up every task that its store says something is owed for, and wakes those of which a deadline has passed. Before
   * that, carries open tasks of an older version of the chart over to this one.
   *
   * Throws `store_owned`. A task that cannot be taken up disturbs no other.
   */
  readonly recover: () => Promise<Recovery>;
  /** Begins a task; of two submissions with one key, the first. Throws `document_invalid`, `not_found` or `key_reused`. */
  readonly submit: (
    request: Submission,
    options?: Keyed,
  ) => Promise<{ readonly taskId: string; readonly threadId: string }>;
  /** Answers the question whose message `feedback.target` names. Throws `feedback_refused`, and the question stays open. */
  readonly respond: (feedback: unknown, who: By & Keyed & { readonly approval?: string }) => Promise<void>;
  /** Takes another agent's message about a dependency that waits for it; of two with one `messageId` and agent, the first. */
  readonly receive: (message: unknown) => Promise<void>;
  /** Meets a dependency: the call that waits is called again with `value`. */
  readonly resolve: (taskId: string, dependency: string, value: unknown, who: By & Keyed) => Promise<void>;
  /** States a fact from outside: `dependency.met` or `task.cancelled`, and no other. */
  readonly tell: (taskId: string, fact: unknown, who: By & Keyed) => Promise<void>;
  /** Records that its agent tried what nobody lets in, and why; changes no state. */
  readonly refuse: (taskId: string, why: Refusal) => Promise<void>;
  readonly cancel: (taskId: string, who: By & Keyed) => Promise<void>;
  readonly settled: (taskId: string) => Promise<Settled>;
  /** How far a task has come: its calls, what they brought, what it waits for. */
  readonly progress: (taskId: string) => Promise<Progress>;
  readonly list: () => Promise<readonly TaskSummary[]>;
  /** What waits for a person: everywhere, or in one task and those nested in it. */
  readonly inbox: (taskId?: string) => Promise<readonly InboxEntry[]>;
  /**
   * Returns the tasks in whose inbox the question of a message is or was: the outermost first, the one that asked it last.
   * `null` if no question was asked in this message.
   */
  readonly questionPath: (messageId: string) => Promise<readonly string[] | null>;
  readonly thread: (threadId: string) => Promise<readonly UpFormatMessage[]>;
  readonly ledger: (taskId: string) => Promise<readonly LedgerRecord[]>;
  /** Every document that a task emitted, in order. */
  readonly documents: (taskId: string) => Promise<readonly Emission[]>;
  /**
   * Takes every document of this digest out of a settled task; the ledger keeps the digest, and says who did it. A
   * document that quotes it has a digest of its own. Throws `task_unsettled` or `not_found`.
   */
  readonly erase: (taskId: string, digest: string, who: By) => Promise<void>;
  readonly on: <Name extends keyof OrchestratorEvents>(
    name: Name,
    listener: Listener<OrchestratorEvents[Name]>,
  ) => () => void;
  /** Aborts what is under way and lets go of the clock and the store; tasks stay as they are recorded. */
  readonly close: () => Promise<void>;
}
