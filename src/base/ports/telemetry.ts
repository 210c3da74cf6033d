import type { ErrorCode } from '../errors.ts';
import type { FactType, Gate, Violation } from '../../../machines/index.ts';
import type {
  FeedbackType,
  OperationalState,
  Outcome,
  Phase,
  ReasonCode,
  RiskTier,
} from '../../../schema/index.ts';

/** A place in a distributed trace (W3C Trace Context). */
export interface TraceContext {
  /** `00-<trace id>-<span id>-<flags>`. */
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** A new task: identifiers only. */
export interface TaskBegun {
  readonly taskId: string;
  readonly taskClass: string;
  readonly agent: string;
  readonly threadId: string;
  /** The trace context of the request. */
  readonly incoming?: TraceContext;
  /** Places in other traces. With them, also with none of them, the task has its own trace, which links to them. */
  readonly links?: readonly TraceContext[];
  /** The enclosing trace (UAICP 4.3). */
  readonly parentTraceId?: string;
  /** The `traceparent` of the parent's call (UAICP 4.3); the task's own trace links to it. */
  readonly caller?: string;
}

/** Work outside the orchestrator that is about to begin. */
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

/** The outcome of work; `given_up` means that its result is ignored. */
export type WorkOutcome =
  | ('answered' | 'given_up')
  | ('succeeded' | 'failed' | 'doubted' | 'asking' | 'waiting')
  | ('pass' | 'fail' | 'partial')
  | ('allow' | 'deny' | 'needs_review');

/** An error as telemetry receives it. By default it has no name, class or message. */
export interface Thrown {
  /** The code of a `CharterError`; `thrown` for any other error. */
  readonly code: ErrorCode | 'thrown';
  /** The error's name and message, redacted like the explanations in the ledger; only with `errorMessages`. */
  readonly message?: string;
}

/** How work ended, without its input and result. */
export interface WorkEnd {
  readonly outcome: WorkOutcome;
  readonly code?: ReasonCode | null;
  /** The error that the work threw. */
  readonly thrown?: Thrown;
}

/** The telemetry of one piece of work. */
export interface WorkTelemetry {
  readonly at: TraceContext;
  /** Calls `work` once, synchronously, with this span as the active one. */
  readonly run: (work: () => void) => void;
  readonly end: (end: WorkEnd) => void;
}

/** A phase or state that a step entered, or a gate that decided, in order. */
export type Moment =
  | { readonly kind: 'entered'; readonly state: Phase | OperationalState }
  | {
      readonly kind: 'gate';
      readonly gate: Gate;
      /** `asks`: the gate is not open and asks a person. */
      readonly verdict: 'open' | 'asks' | 'shut';
      /** The unmet requirements; empty if the gate is open. */
      readonly violations: readonly Violation[];
    };

/** A question of the chart that opened or closed. */
export interface QuestionMoment {
  readonly id: string;
  readonly kind: string;
}

/** A recorded step: names and codes, without the documents of the fact. */
export interface StepTaken {
  /** `null` for the opening record. */
  readonly fact: FactType | null;
  readonly requestId: string;
  /** 0 for the first attempt of the run. */
  readonly attempt: number;
  readonly moments: readonly Moment[];
  readonly asked: readonly QuestionMoment[];
  /** `how` is the type of the feedback, or `expired` or `withdrawn`. */
  readonly answered: readonly (QuestionMoment & { readonly how: FeedbackType | 'expired' | 'withdrawn' })[];
  /** How the task ended; `null` if it continues. */
  readonly end: {
    readonly state: string;
    readonly outcome: Outcome;
    readonly reasons: readonly ReasonCode[];
  } | null;
}

/** The telemetry of one task. */
export interface TaskTelemetry {
  readonly at: TraceContext;
  readonly step: (step: StepTaken) => void;
  readonly work: (work: Work) => WorkTelemetry;
  /** Ends the telemetry of a task that was not recorded, or whose orchestrator closes before the task settles. */
  readonly close: () => void;
}

/** Follows tasks and their work. An error here does not affect the task: it is emitted as an `error` event. */
export interface Telemetry {
  /** Whether error messages are passed on. They can contain sensitive data. By default `false`. */
  readonly errorMessages?: boolean;
  readonly begin: (task: TaskBegun) => TaskTelemetry;
}
