import { checkIsObject } from '../base/boundary/check-given.ts';
import { refusal } from '../base/boundary/parse-document.ts';
import type { InputOf, ToolName, Tools } from '../base/define/inferred.ts';
import type { WithReferences } from '../base/ports/origin.ts';
import type { Payload } from '../base/ports/schema.ts';
import type { DraftOutput } from '../core/kernel/outputs.ts';
import type { Emission } from '../base/ports/emission.ts';
import type { Progress } from '../core/shell/progress.ts';
import type { InboxEntry } from '../core/kernel/summary.ts';
import type { CallerOutcome, CallerRollback } from '../base/ports/caller.ts';
import type { CallOutcome, Clearance, ClearedCall, Conclusion } from './outcome.ts';

/** How long a caller waits for an outcome. */
export interface Patience {
  /** Whether to wait for people too. By default, returns `paused`. */
  readonly waits?: boolean;
  /** Ends only the waiting. The proposal continues. */
  readonly signal?: AbortSignal;
}

/** Throws `document_invalid` for options of another type. */
export const checkPatience = (operation: string, options: Patience): void => {
  checkIsObject(operation, options, 'options such as { waits: true }');
  if (options.signal !== undefined && typeof options.signal?.throwIfAborted !== 'function')
    throw refusal(`${operation}()`, [{ path: '/signal', message: 'expected an AbortSignal' }]);
};

/** Options of a call. */
export interface CallOptions extends Patience {
  /**
   * The framework's id of the call. A repeated id is the same call, also after a restart, and is made once.
   * By default, each call is a new one; an identical write is still made once.
   */
  readonly ref?: string;
  /**
   * Whether others may give several calls one `ref`, as some model servers do with their ids: a call with other content is then
   * another call, in place of a refused one (`PROPOSAL_CHANGED`). By default `false`.
   */
  readonly reusesRef?: boolean;
  /** The agent's confidence, 0 to 1. By default `unstated`: the task class decides (UpFormat 2.3). */
  readonly confidence?: number;
  /**
   * Whether a write waits until every other write that is proposed with it may be made, or is refused. By default it waits
   * for its own approval only.
   */
  readonly together?: boolean;
  /**
   * The `ref`s of earlier calls of the request that a write comes after: it waits until they are made, and is refused if one of
   * them was not.
   */
  readonly after?: readonly string[];
}

/** An answer to deliver. By default, `canProceed` is true and `confidence` is `unstated`. */
export type Draft<Proposal extends Payload = Payload> = Partial<Omit<DraftOutput, 'payload'>> & {
  readonly payload: Proposal;
};

/** A governed run of a framework's agent. The agent proposes, the chart decides (UAICP 10). */
export interface Run<
  Given extends Tools = Tools,
  Output extends Payload = Payload,
  Proposal extends Payload = Payload,
> {
  readonly taskId: string;
  /** Proposes a call. Resolves when it is cleared or rejected, before it returns a result. */
  propose<Name extends ToolName<Given>>(
    tool: Name,
    input: WithReferences<InputOf<Given, Name>>,
    options?: CallOptions,
  ): Promise<Clearance>;
  /**
   * Proposes a call that the agent performs itself once it is `cleared`, and whose outcome it reports. It is cleared once: who asks again
   * after that, without a report, may have performed it, and a person is asked, unless the tool is `idempotent`.
   */
  clear<Name extends ToolName<Given>>(
    tool: Name,
    input: WithReferences<InputOf<Given, Name>>,
    options?: CallOptions,
  ): Promise<ClearedCall | CallOutcome>;
  /** Proposes a call and waits for its outcome. The effect ledger makes it once. */
  call<Name extends ToolName<Given>>(
    tool: Name,
    input: WithReferences<InputOf<Given, Name>>,
    options?: CallOptions,
  ): Promise<CallOutcome>;
  /**
   * Reports what came of a call that was cleared for its caller, and returns its outcome. Of several reports the first counts. Throws
   * `not_found` for a call that was not proposed so, `fact_refused` for one that was not cleared, and `document_invalid`.
   */
  report(ref: string, outcome: CallerOutcome): Promise<CallOutcome>;
  /** Returns the rollbacks that the agent has to perform now, because the run failed: of calls that it performed itself. */
  rollbacks(): Promise<readonly CallerRollback[]>;
  /** Reports what came of such a rollback. Throws `not_found` if none waits under this ref. */
  reportRollback(ref: string, outcome: CallerOutcome): Promise<void>;
  /**
   * Declares tools that later calls need, before the model was shown anything untrusted. They are recorded with the
   * next call. Under `mandate: 'plan'` they are within the mandate; a call of a tool that is not waits for a person.
   *
   * Returns whether all of them are within the mandate: `false` if it is too late, or the host gave a mandate without
   * them. Throws `document_invalid` for a tool that the task class does not have.
   */
  declare(tools: readonly ToolName<Given>[]): Promise<boolean>;
  /** Proposes the answer. Only the `deliver` state delivers it. After the end, another answer is `ended`. */
  conclude(draft: Draft<Proposal>, options?: Patience): Promise<Conclusion<Output>>;
  /**
   * Returns whether this answer was proposed before, also by an earlier process. Ask before you propose an
   * answer that was read from a place where others can write.
   */
  readonly isProposed: (draft: Draft) => Promise<boolean>;
  /**
   * Streams a part of the answer, marked as unverified. Returns `false` if streaming is not allowed (UAICP
   * 4.2).
   */
  readonly show: (content: string) => boolean;
  /**
   * Saves the state of the agent with the task, such as its messages. The ledger holds it, redacted (`agentState`),
   * until it is erased; of older ones, 8 MiB in all. Throws `value_not_json` if it is not JSON or larger than 8 MiB.
   */
  readonly saveState: (state: unknown) => Promise<void>;
  /** Returns the last saved state of the agent in the current request, frozen; `null` for none. */
  readonly savedState: () => Promise<unknown>;
  /** Tells the guard that you run the agent: it starts none of `agents` for this run until you call the result. */
  readonly attend: () => () => void;
  readonly progress: () => Promise<Progress>;
  /**
   * Returns the open questions of this task and its nested tasks: whole for `people`, which is the default, or as the `agent`
   * may see them, without hidden results and without what nested tasks have read.
   */
  readonly questions: (audience?: 'people' | 'agent') => Promise<readonly InboxEntry[]>;
  /** Returns the documents that the run emitted as the agent may see them: without hidden results and signed approvals. */
  readonly documents: () => Promise<readonly Emission[]>;
}
