import type { ErrorCode } from '../errors.ts';
import type { FactType, Gate, Violation } from '../../machines/index.ts';
import type {
  FeedbackType,
  OperationalState,
  Outcome,
  Phase,
  ReasonCode,
  RiskTier,
} from '../../schema/index.ts';

/** A place in a distributed trace, as W3C Trace Context writes it. */
export interface TraceContext {
  /** `00-<trace id>-<span id>-<flags>`. */
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** A task that begins: identifiers only. */
export interface TaskBegun {
  readonly taskId: string;
  readonly taskClass: string;
  readonly agent: string;
  readonly threadId: string;
  /** Where the request came from. */
  readonly incoming?: TraceContext;
  /** The trace that it is nested in (UAICP 4.3). */
  readonly parentTraceId?: string;
  /** The `traceparent` of the call that this task is (UAICP 4.3): its own trace only points there. */
  readonly caller?: string;
}

/** Work that is about to be done outside the orchestrator. */
export type Work = { readonly attempt: number } & (
  | { readonly kind: 'model'; readonly asks: 'plan' | 'draft' | 'correction' }
  | { readonly kind: 'verifier'; readonly verifier: string; readonly subject: 'draft' | 'action' }
  | {
      readonly kind: 'tool' | 'rollback' | 'policy';
      readonly tool: string;
      readonly version: string;
      /** Identifies the call within its request. */
      readonly call: string;
      readonly tier: RiskTier;
    }
);

/** What came of work; `given_up` is what nobody waits for any more, whatever comes of it. */
export type WorkOutcome =
  | ('answered' | 'given_up')
  | ('succeeded' | 'failed' | 'doubted' | 'asking' | 'waiting')
  | ('pass' | 'fail' | 'partial')
  | ('allow' | 'deny' | 'needs_review');

/** An error as telemetry is told of it: nothing of its name, class or message, unless the host wants its message. */
export interface Thrown {
  /** The code of an error of this library; `thrown` for every other. */
  readonly code: ErrorCode | 'thrown';
  /** Its name and message, redacted as the ledger's explanations are; only with `errorMessages`. */
  readonly message?: string;
}

/** How work ended: never what it was given or returned. */
export interface WorkEnd {
  readonly outcome: WorkOutcome;
  readonly code?: ReasonCode | null;
  /** What it threw. */
  readonly thrown?: Thrown;
}

/** One piece of work as it is followed. */
export interface WorkTelemetry {
  readonly at: TraceContext;
  /** Calls `work` once, at once, with its place as the active one. */
  readonly run: (work: () => void) => void;
  readonly end: (end: WorkEnd) => void;
}

/** What a step passed, in order: a phase or state that was entered, or a gate that decided. */
export type Moment =
  | { readonly kind: 'entered'; readonly state: Phase | OperationalState }
  | {
      readonly kind: 'gate';
      readonly gate: Gate;
      /** `asks` is not open, and puts its question to a person. */
      readonly verdict: 'open' | 'asks' | 'shut';
      /** What stood against it; empty where it is open. */
      readonly violations: readonly Violation[];
    };

/** A question of the chart that opened or closed. */
export interface QuestionMoment {
  readonly id: string;
  readonly kind: string;
}

/** A recorded step: names and codes, never what a fact brought. */
export interface StepTaken {
  /** `null` for the record that opens a task. */
  readonly fact: FactType | null;
  readonly requestId: string;
  /** 0 for the first attempt of the run. */
  readonly attempt: number;
  readonly moments: readonly Moment[];
  readonly asked: readonly QuestionMoment[];
  /** `how` is the feedback that answered; `expired` or `withdrawn` where nobody did. */
  readonly answered: readonly (QuestionMoment & { readonly how: FeedbackType | 'expired' | 'withdrawn' })[];
  /** How the task ended; `null` where it goes on. */
  readonly end: {
    readonly state: string;
    readonly outcome: Outcome;
    readonly reasons: readonly ReasonCode[];
  } | null;
}

/** A task as it is followed. */
export interface TaskTelemetry {
  readonly at: TraceContext;
  readonly step: (step: StepTaken) => void;
  readonly work: (work: Work) => WorkTelemetry;
  /** The task goes on no further here: it was not recorded, or its orchestrator closes before it has settled. */
  readonly close: () => void;
}

/** Follows tasks and their work. What it throws disturbs no task: it is told as an `error` event. */
export interface Telemetry {
  /** Whether it is told what errors say: their messages can hold what no trace should. By default `false`. */
  readonly errorMessages?: boolean;
  readonly begin: (task: TaskBegun) => TaskTelemetry;
}
