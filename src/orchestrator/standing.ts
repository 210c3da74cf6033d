import type { Context, FactOf } from '../../machines/index.ts';
import type { EvidenceObject } from '../../schema/index.ts';
import { callKey, evidenceFault, type EvidenceFault } from '../evidence/fault.ts';
import type { Dossier } from './dossier.ts';

/** Evidence that stands now: of the calls of this attempt, committed writes of earlier ones included. */
export const standingEvidence = (context: Context, dossier: Dossier): readonly EvidenceObject[] =>
  Object.values(context.calls).flatMap(({ evidence }) => {
    const found = evidence === null ? undefined : dossier.evidence[evidence.id];
    return found === undefined ? [] : [found];
  });

interface Fault extends EvidenceFault {
  readonly code: FactOf<'run.failed'>['code'];
}

/** Evidence was accepted when it came in: what is wrong with it now was done to it since. */
const changed = ({ explanation }: EvidenceFault, code: Fault['code']): Fault => ({
  code,
  explanation: `evidence was changed after it was collected: ${explanation}`,
});

/** The first fault of the evidence that the gates rest on, recomputed from its documents (UAICP 5.1). */
export const standingFault = (
  context: Context,
  dossier: Dossier,
  now: number,
  skew: number,
): Fault | null => {
  for (const { evidence: reference, digest, tool } of Object.values(context.calls)) {
    if (reference === null) continue;
    const evidence = dossier.evidence[reference.id];
    const from = evidence?.[callKey];
    const call = typeof from === 'string' ? dossier.calls[from] : undefined;
    const fault = evidenceFault(evidence, {
      requestId: context.request,
      traceId: dossier.traceId,
      type: reference.type,
      tool,
      call: call?.digest === digest ? call.id : null,
      now,
      skew,
    });
    if (fault?.code === 'EVIDENCE_HASH_MISMATCH') return changed(fault, fault.code);
    if (fault !== null) return changed(fault, 'EVIDENCE_FOREIGN');
  }
  return null;
};
