import type { EvidenceObject, ReasonCode } from '../../schema/index.ts';
import type { Violation } from '../../machines/index.ts';
import type { Issue } from '../errors.ts';
import type { AnswerListing } from '../ports/model.ts';
import type { InboxEntry } from '../orchestrator/summary.ts';

/** The run stands still until a person answers, or something outside comes; the same call may be made again then. */
export interface Paused {
  readonly status: 'paused';
  /** What people are asked, here and in the tasks nested in this one. */
  readonly questions: readonly InboxEntry[];
  /** What else is waited for. */
  readonly awaits: readonly string[];
}

/** It was not let in, or a person said no; the run goes on. */
export interface Refused {
  readonly status: 'refused';
  readonly code: ReasonCode;
  readonly explanation: string;
  /** Where a schema refused it: what is wrong with it. */
  readonly issues: readonly Issue[];
}

/** An attempt was given up, for these reasons; the next one goes on, so that the agent may do better (UAICP 4.1). */
export interface Repairing {
  readonly status: 'repairing';
  readonly attempt: number;
  readonly unmet: readonly Violation[];
  /** What people said on the way: an instruction may be why. */
  readonly answers: readonly AnswerListing[];
}

/** The run is over: nothing was delivered, or, to a call that came after that, all is. */
export interface Ended {
  readonly status: 'ended';
  /** `failed` or `cancelled`; to a call that came too late also `completed.settled` or `followup`. */
  readonly state: string;
  readonly reasons: readonly Violation[];
}

/** The call was made, now or before, and what it brought is on record. */
export interface Done {
  readonly status: 'done';
  readonly result: unknown;
  /** `null` where a person said that it happened, and nothing came of it, or where it was erased. */
  readonly evidence: EvidenceObject | null;
}

/** The call is being made: nothing stands against it any more. */
export interface Cleared {
  readonly status: 'cleared';
}

/** The only way out with an answer: every gate was passed (UAICP 4.1). */
export interface Delivered {
  readonly status: 'delivered';
  /** What was delivered: a person may have edited what was concluded. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What became of a proposal: `cleared` where it is being made. */
export type Clearance = Cleared | CallOutcome;

/** What became of a call. */
export type CallOutcome = Done | Paused | Refused | Repairing | Ended;

/** What became of a conclusion. */
export type Conclusion = Delivered | Paused | Refused | Repairing | Ended;
