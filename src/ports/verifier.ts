import type { EvidenceObject, VerificationCheck, VerificationReport } from '../../schema/index.ts';
import type { TraceContext } from './telemetry.ts';

/** What a verifier judges: a draft before deliver, or an action before a write, and the evidence that stands. */
export interface VerificationSubject {
  readonly kind: 'draft' | 'action';
  /** The digest that its report will stand for. */
  readonly digest: string;
  /** The draft's payload, or the action's tool and arguments. */
  readonly value: unknown;
  readonly request: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly traceId: string;
  readonly evidence: readonly EvidenceObject[];
}

/**
 * What a verifier found: its checks, or a whole report. What it says beyond its checks is held against what it was
 * asked; the status is recomputed (UAICP 5.2).
 */
export interface Findings extends Partial<Omit<VerificationReport, 'checks'>> {
  readonly checks: readonly VerificationCheck[];
}

/** A mechanical validator (UAICP 2): not a model's opinion of a model. One that throws or hangs has not passed. */
export interface Verifier {
  readonly id: string;
  /** Checks that must be reported, and passed; where left out, every check that is reported must pass. */
  readonly requires?: readonly string[];
  /** Milliseconds; the task class's own where left out. */
  readonly deadline?: number;
  readonly verify: (
    subject: VerificationSubject,
    options: { readonly signal: AbortSignal } & Partial<TraceContext>,
  ) => Findings | Promise<Findings>;
}
