import type { Context, Fact, FactOf } from '../../../machines/index.ts';
import { callKey, evidenceFault, type EvidenceFault } from '../../gates/evidence/fault.ts';
import type { RecordPayload, OutputDocument } from '../../base/ports/ledger.ts';
import { digestOfOutput } from './outputs.ts';
import type { Projection } from './projection/projection.ts';

/** The fact about a changed document, and its explanation. */
interface Fault {
  readonly fact: FactOf<'evidence.changed' | 'output.changed'>;
  readonly explanation: string;
}

/** Returns the fault of evidence that changed after it was accepted. */
const changed = (request: string, evidence: string, { code, explanation }: EvidenceFault): Fault => ({
  fact: {
    type: 'evidence.changed',
    request,
    evidence,
    code: code === 'EVIDENCE_HASH_MISMATCH' ? code : 'EVIDENCE_FOREIGN',
  },
  explanation: `evidence was changed after it was collected: ${explanation}`,
});

/** Returns the first fault of the evidence that the gates use, recomputed from its documents (UAICP 5.1), or `null`. */
export const evidenceIntegrityFault = (
  context: Context,
  projection: Projection,
  now: number,
  skew: number,
): Fault | null => {
  for (const { evidence: reference, digest, tool } of Object.values(context.calls)) {
    if (reference === null) continue;
    const evidence = projection.evidence[reference.id];
    const from = evidence?.[callKey];
    const call = typeof from === 'string' ? projection.calls[from] : undefined;
    const fault = evidenceFault(evidence, {
      requestId: context.request,
      traceId: projection.traceId,
      type: reference.type,
      tool,
      call: call?.digest === digest ? call.id : null,
      now,
      skew,
    });
    if (fault !== null) return changed(context.request, reference.id, fault);
  }
  return null;
};

/** Returns the digest of the draft that a fact proposes. */
const proposedBy = (fact: Fact): string | undefined => {
  if (fact.type === 'draft.proposed') return fact.digest;
  return fact.type === 'human.responded' ? fact.draft?.digest : undefined;
};

const isDraft = (draft: OutputDocument | null | undefined, digest: string): boolean =>
  draft != null && digestOfOutput(draft) === digest;

const outputChanged = (request: string, digest: string): Fault => ({
  fact: { type: 'output.changed', request, digest },
  explanation: 'the draft is not the document of its digest: it was changed after that was computed',
});

/**
 * Returns the fault of a draft whose document does not match its digest, so that only the verified draft is
 * delivered. `fact` and `brought` have not been applied yet.
 */
export const draftFault = (
  { draft, request }: Context,
  projection: Projection,
  fact: Fact,
  brought: RecordPayload = {},
): Fault | null => {
  const proposed = proposedBy(fact);
  if (proposed !== undefined && !isDraft(brought.output, proposed)) return outputChanged(request, proposed);
  if (draft !== null && !isDraft(projection.draft, draft.digest)) return outputChanged(request, draft.digest);
  return null;
};

/** Returns the fault in the documents that a fact relies on: its draft, or the evidence for a write or a draft. */
export const integrityFault = (
  context: Context,
  projection: Projection,
  { fact, brought }: { readonly fact: Fact; readonly brought: RecordPayload | undefined },
  { now, skew }: { readonly now: number; readonly skew: number },
): Fault | null => {
  const isGate = fact.type === 'call.started' || fact.type === 'draft.proposed' || context.draft !== null;
  const fault = draftFault(context, projection, fact, brought);
  return fault ?? (isGate ? evidenceIntegrityFault(context, projection, now, skew) : null);
};
