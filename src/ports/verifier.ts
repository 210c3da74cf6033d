import type { EvidenceObject, VerificationCheck } from '../../schema/index.ts';

/** What a verifier judges: a draft before deliver, or an action before a write, and the evidence that stands. */
export interface VerificationSubject {
  readonly kind: 'draft' | 'action';
  /** The digest that its report will stand for. */
  readonly digest: string;
  /** The draft's payload, or the action's tool and arguments. */
  readonly value: unknown;
  readonly request: Readonly<Record<string, unknown>>;
  readonly requestId: string;
  readonly evidence: readonly EvidenceObject[];
}

/** What a verifier found; the report around it, and its status, are made by the orchestrator. */
export interface Findings {
  readonly checks: readonly VerificationCheck[];
}

/** A mechanical validator (UAICP 2): not a model's opinion of a model. One that throws or hangs has not passed. */
export interface Verifier {
  readonly id: string;
  readonly verify: (
    subject: VerificationSubject,
    options: { readonly signal: AbortSignal },
  ) => Findings | Promise<Findings>;
}
