import * as z from 'zod';
import { DateTime, JsonValue, Uuid } from '../formats.ts';

/** The kind of a piece of evidence. UAICP 6, evidence-object schema. */
export const EvidenceType = z.enum([
  'tool_result',
  'source_citation',
  'test_report',
  'approval_token',
  'custom',
]);
export type EvidenceType = z.infer<typeof EvidenceType>;

/** Evidence that a tool produced, so that a verifier does not have to trust the model. UAICP 5.1, 6. */
export const EvidenceObject = z.looseObject({
  evidence_id: z.string().min(1),
  evidence_type: EvidenceType,
  source: z.string().min(1),
  request_id: Uuid.optional(),
  trace_id: z.string().min(1).optional(),
  parent_trace_id: z.string().min(1).optional(),
  actor: z.string().optional(),
  /** The hash of `payload`. */
  hash: z.string(),
  collected_at: DateTime,
  payload: JsonValue.optional(),
});
export type EvidenceObject = z.infer<typeof EvidenceObject>;
