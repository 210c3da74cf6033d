import type { EvidenceObject, ReasonCode } from '../../schema/index.ts';
import type { Issue } from '../base/errors.ts';
import type { ClearedForCaller } from '../base/ports/caller.ts';
import type { AnswerListing } from '../base/ports/model.ts';
import type { Payload } from '../base/ports/schema.ts';
import type { ExplainedReason, ExplainedViolation } from '../core/kernel/failure-words.ts';
import type { InboxEntry } from '../core/kernel/summary.ts';

/** The run waits for a person or an external event. The agent may repeat the same call later. */
export interface Paused {
  readonly status: 'paused';
  /**
   * The open questions of this task and its nested tasks, as the agent may see them. `run.questions()` returns them whole,
   * for people.
   */
  readonly questions: readonly InboxEntry[];
  /** The other dependencies that the run waits for. */
  readonly awaits: readonly string[];
}

/** The call was rejected, by the chart or by a person, or its tool failed. The run continues. */
export interface Refused {
  readonly status: 'refused';
  readonly code: ReasonCode;
  readonly explanation: string;
  /** The issues that its schema reported. */
  readonly issues: readonly Issue[];
}

/** An attempt was abandoned for these reasons. The agent can do better in the next attempt (UAICP 4.1). */
export interface Repairing {
  readonly status: 'repairing';
  readonly attempt: number;
  /** `says` names what was not met. */
  readonly unmet: readonly ExplainedViolation[];
  /** The answers of people so far. An instruction may be the reason. */
  readonly answers: readonly AnswerListing[];
}

/** The run is over and this proposal had no effect. */
export interface Ended {
  readonly status: 'ended';
  /** `failed` or `cancelled`. For a late call also `completed.settled` or `followup`. */
  readonly state: string;
  /** Why it is over: `says` names what was not met, `remedy` what a person can do. Empty after a delivery. */
  readonly reasons: readonly ExplainedReason[];
}

/** The call was made, now or before, and its result is recorded; or an identical one was, which it then says. */
export interface Done {
  readonly status: 'done';
  readonly result: unknown;
  /** `null` if the result is hidden or was erased, or if a person stated that the effect happened without a result. */
  readonly evidence: EvidenceObject | null;
  /** Present if a person changed the call: who, and the arguments with which it was made. */
  readonly changed?: { readonly by: string; readonly arguments: unknown };
  /** Present if this call was not made: the result is that of `of`, an identical write. A tool that says `repeats` makes each call. */
  readonly isRepeated?: true;
  /** The `ref` of the call that was made, or its id if it has none. */
  readonly of?: string;
}

/** The call passed every check and is being made. */
export interface Cleared {
  readonly status: 'cleared';
}

/** The call passed every check, and its caller performs it now. It is told once. */
export interface ClearedCall extends Cleared, ClearedForCaller {
  /** What was approved: a person may have changed what was proposed, and the schema of the tool has completed it. */
  readonly arguments: unknown;
}

/** The answer was delivered after every gate passed (UAICP 4.1). */
export interface Delivered<Output extends Payload = Payload> {
  readonly status: 'delivered';
  /** The delivered payload. A person may have edited the proposed one. */
  readonly payload: Output;
}

/** The outcome of `propose`: `cleared` if the call is being made. */
export type Clearance = Cleared | CallOutcome;

/** The outcome of a call. */
export type CallOutcome = Done | Paused | Refused | Repairing | Ended;

/** The outcome of a conclusion. */
export type Conclusion<Output extends Payload = Payload> =
  Delivered<Output> | Paused | Refused | Repairing | Ended;
