import type { EvidenceObject, VerificationCheck, VerificationReport } from '../../../schema/index.ts';
import type { TraceContext } from './telemetry.ts';

/** The subject of a verification: a draft before deliver, or an action before a write, with the valid evidence. */
export interface VerificationSubject {
  readonly kind: 'draft' | 'action';
  /** The digest that the report covers. */
  readonly digest: string;
  /** The draft's payload, or the action's tool and arguments. */
  readonly value: unknown;
  readonly request: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly traceId: string;
  readonly evidence: readonly EvidenceObject[];
}

/**
 * A verifier's checks, or a whole report. Its other fields must match the subject; the status is recomputed (UAICP
 * 5.2).
 */
export interface Findings extends Partial<Omit<VerificationReport, 'checks'>> {
  readonly checks: readonly VerificationCheck[];
}

/** A mechanical validator (UAICP 2), not a model that judges a model. An error or a timeout is not a pass. */
export interface Verifier {
  readonly id: string;
  /** Checks that must be reported and pass. By default every reported check must pass. */
  readonly requires?: readonly string[];
  /** Milliseconds; by default that of the task class. */
  readonly deadline?: number;
  readonly verify: (
    subject: VerificationSubject,
    options: { readonly signal: AbortSignal } & Partial<TraceContext>,
  ) => Findings | Promise<Findings>;
}
