import { EvidenceObject, type ReasonCode } from '../../../schema/index.ts';
import { isDeeplyFrozen } from '../../base/canonical/deep-freeze.ts';
import { digest } from '../../base/canonical/digest.ts';

/** The expected properties of evidence. */
export interface ExpectedEvidence {
  readonly requestId: string;
  readonly traceId: string;
  readonly type: EvidenceObject['evidence_type'];
  /** The tool and the call that must have produced it. */
  readonly tool: string;
  readonly call: string | null;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds by which another clock may be ahead of this one. */
  readonly skew: number;
}

/** Why evidence was rejected: a code and an explanation. */
export interface EvidenceFault {
  readonly code: ReasonCode;
  readonly explanation: string;
}

/** The evidence field that names the call. */
export const callKey = 'agentcharter:call';

const foreign = (evidence: EvidenceObject, expected: ExpectedEvidence): string | null => {
  const { requestId, traceId, tool, call } = expected;
  if (evidence.request_id !== requestId) return 'it belongs to another request, or to none';
  if (evidence.trace_id !== traceId) return 'it belongs to another trace, or to none';
  if (evidence.source !== tool) return 'its source is another tool';
  return call !== null && evidence[callKey] === call ? null : 'it belongs to another call';
};

/** Returns the expected hash, over the RFC 8785 form of the payload; `null` if there is no payload. */
const hashOf = ({ payload }: EvidenceObject): string | null => {
  try {
    return payload === undefined ? null : digest(payload, 'payload');
  } catch {
    return null;
  }
};

/** The frozen evidence that fits its schema: it cannot stop fitting, and each gate asks again. */
const fitting = new WeakSet<object>();

/** Returns a value as evidence; `null` if it does not fit the schema. */
const read = (value: unknown): EvidenceObject | null => {
  if (typeof value === 'object' && value !== null && fitting.has(value)) return value as EvidenceObject;
  const { data } = EvidenceObject.safeParse(value);
  if (data !== undefined && isDeeplyFrozen(value as object)) fitting.add(value as object); // it was read
  return data ?? null;
};

/** Returns why an evidence object is rejected; `null` if it is valid (UAICP 5.1). Its own hash is recomputed. */
export const evidenceFault = (value: unknown, expected: ExpectedEvidence): EvidenceFault | null => {
  const evidence = read(value);
  if (evidence === null) return { code: 'EVIDENCE_INVALID', explanation: 'it does not fit its schema' };
  if (evidence.evidence_type !== expected.type)
    return { code: 'EVIDENCE_INVALID', explanation: 'it is of another type than its tool declares' };
  if (hashOf(evidence) !== evidence.hash)
    return { code: 'EVIDENCE_HASH_MISMATCH', explanation: 'its hash does not match its payload' };
  const of = foreign(evidence, expected);
  if (of !== null) return { code: 'EVIDENCE_FOREIGN', explanation: of };
  return Date.parse(evidence.collected_at) > expected.now + expected.skew
    ? { code: 'EVIDENCE_FROM_FUTURE', explanation: 'its collection time is in the future' }
    : null;
};
