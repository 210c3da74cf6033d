import { EvidenceObject, type ReasonCode } from '../../schema/index.ts';
import { digest } from '../canonical/digest.ts';

/** What evidence must be of, and by when. */
export interface ExpectedEvidence {
  readonly requestId: string;
  readonly traceId: string;
  readonly type: EvidenceObject['evidence_type'];
  /** The tool that must have produced it, and the call through which. */
  readonly tool: string;
  readonly call: string | null;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds by which another clock may be ahead of ours. */
  readonly skew: number;
}

/** Why evidence does not count: a code, and words. */
export interface EvidenceFault {
  readonly code: ReasonCode;
  readonly explanation: string;
}

/** Where an evidence object names the call that produced it. */
export const callKey = 'agentcharter:call';

const foreign = (evidence: EvidenceObject, expected: ExpectedEvidence): string | null => {
  const { requestId, traceId, tool, call } = expected;
  if (evidence.request_id !== requestId) return 'it is of another request, or of none';
  if (evidence.trace_id !== traceId) return 'it is of another trace, or of none';
  if (evidence.source !== tool) return 'its source is another tool';
  return call !== null && evidence[callKey] === call ? null : 'it comes through another call';
};

/** The hash as it must be: over the RFC 8785 form of the payload; `null` where there is nothing to hash. */
const hashOf = ({ payload }: EvidenceObject): string | null => {
  try {
    return payload === undefined ? null : digest(payload, 'payload');
  } catch {
    return null;
  }
};

/** Why an evidence object does not count; `null` where it does (UAICP 5.1). What it says of itself is recomputed. */
export const evidenceFault = (value: unknown, expected: ExpectedEvidence): EvidenceFault | null => {
  const read = EvidenceObject.safeParse(value);
  if (!read.success) return { code: 'EVIDENCE_INVALID', explanation: 'it does not fit its schema' };
  const evidence = read.data;
  if (evidence.evidence_type !== expected.type)
    return { code: 'EVIDENCE_INVALID', explanation: 'it is of another type than its tool declares' };
  if (hashOf(evidence) !== evidence.hash)
    return { code: 'EVIDENCE_HASH_MISMATCH', explanation: 'its hash is not that of its payload' };
  const of = foreign(evidence, expected);
  if (of !== null) return { code: 'EVIDENCE_FOREIGN', explanation: of };
  return Date.parse(evidence.collected_at) > expected.now + expected.skew
    ? { code: 'EVIDENCE_FROM_FUTURE', explanation: 'it was collected later than now' }
    : null;
};
