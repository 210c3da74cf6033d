import { createHash } from 'node:crypto';

// The work that every engine does: read a request, plan one call of a tool, make the call, keep its result as evidence,
// verify the evidence, ask the policy, and deliver. A write waits for an approval before the policy allows it.

export interface WireRequest {
  readonly requestId: string;
  readonly text: string;
  readonly risk: 'read_only' | 'write_high_risk';
}

export interface Approval {
  readonly approved: boolean;
  readonly requestId: string;
  readonly by: string;
}

export interface WireArguments {
  readonly id: number;
  readonly requestId: string;
}

export interface WireEvidence {
  readonly evidence_id: string;
  readonly source: string;
  readonly request_id: string;
  readonly payload: string;
  readonly hash: string;
}

/** What an engine returns at the end of a run; anything but `deliver` is a failed run. */
export type Ended = string;

/** A framework, or a machine written by hand, that does the work. */
export interface Engine {
  /** Runs a write up to its approval, passes the approval on, and runs it to its end. Throws if it never paused. */
  readonly gated: (request: WireRequest, approval: Approval) => Promise<Ended>;
  /** Runs a read, which waits for no one. */
  readonly straight: (request: WireRequest) => Promise<Ended>;
  /** Does once more what the desk of the approvers did in the last gated run, where an approval is signed. */
  readonly sign?: () => Promise<unknown>;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

let requests = 0;

export const newRequest = (risk: WireRequest['risk']): WireRequest => {
  requests += 1;
  return { requestId: `req-${requests}`, text: 'reverse wire 42', risk };
};

export const approvalOf = ({ requestId }: WireRequest, approved = true): Approval => ({
  approved,
  requestId,
  by: 'human:alice',
});

/** Throws if the request is not one. */
export const intake = (request: WireRequest): WireRequest => {
  if (typeof request.requestId !== 'string' || typeof request.text !== 'string')
    throw new TypeError('a request has an id and a text');
  return request;
};

export const plan = ({ requestId }: WireRequest): WireArguments => ({ id: 42, requestId });

/** The tool. It does nothing, so that only engines are measured. */
export const reverseWire = async ({
  id,
}: WireArguments): Promise<{ readonly ok: boolean; readonly id: number }> => ({
  ok: true,
  id,
});

export const evidenceOf = ({ requestId }: WireRequest, output: unknown): WireEvidence => {
  const payload = JSON.stringify(output);
  return {
    evidence_id: `ev-${requestId}`,
    source: 'reverseWire',
    request_id: requestId,
    payload,
    hash: sha256(payload),
  };
};

export const isVerified = ({ requestId }: WireRequest, evidence: WireEvidence): boolean =>
  evidence.request_id === requestId && sha256(evidence.payload) === evidence.hash;

export const decide = (
  { requestId, risk }: WireRequest,
  approval: Approval | null,
): 'allow' | 'deny' | 'needs_review' => {
  if (risk === 'read_only') return 'allow';
  if (approval === null) return 'needs_review';
  return approval.approved && approval.requestId === requestId ? 'allow' : 'deny';
};

/** Makes the call for an engine whose tool has to return its evidence. Throws if the evidence is not sound. */
export const callWithEvidence = async (request: WireRequest, given: WireArguments): Promise<WireEvidence> => {
  const evidence = evidenceOf(request, await reverseWire(given));
  if (!isVerified(request, evidence)) throw new Error('the evidence is not what the tool returned');
  return evidence;
};
