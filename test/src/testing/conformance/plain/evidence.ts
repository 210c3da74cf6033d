import { randomUUID } from 'node:crypto';
import { digest } from '../../../../../src/base/canonical/digest.ts';
import { EvidenceObject } from '../../../../../schema/index.ts';
import type { CallOf, Json } from '../../../../../src/testing/conformance/index.ts';
import type { Has } from './flaws.ts';

/** An evidence object of what a tool returned. */
export const evidenceOf = (tool: string, payload: Json, of: CallOf, now: number): EvidenceObject => ({
  evidence_id: randomUUID(),
  evidence_type: 'tool_result',
  source: tool,
  ...of,
  hash: digest(payload),
  collected_at: new Date(now).toISOString(),
  payload: { ...payload },
});

interface Expected {
  readonly tool: string;
  readonly of: CallOf;
  readonly now: number;
  readonly maxAge: number;
}

/** An evidence object that another party made; `null` where it does not count. */
export const readEvidence = (
  value: unknown,
  { tool, of, now, maxAge }: Expected,
  has: Has,
): EvidenceObject | null => {
  const read = EvidenceObject.safeParse(value);
  if (!read.success) return has('reads no schema') ? evidenceOf(tool, {}, of, now) : null;
  const { source, request_id, trace_id, hash, payload, collected_at } = read.data;
  const age = now - Date.parse(collected_at);
  const isRight =
    source === tool &&
    (has('believes the hash') || hash === digest(payload)) &&
    (has('takes evidence of another run') || (request_id === of.request_id && trace_id === of.trace_id)) &&
    (has('takes evidence from the future') || age >= 0) &&
    (has('takes evidence of any age') || age <= maxAge);
  return isRight ? read.data : null;
};
