import * as z from 'zod';
import { DateTime, Uuid } from '../formats.ts';

/** A mechanical check and its result; a `skip` is not a pass. UAICP 6, verification-report schema. */
export const VerificationCheck = z.looseObject({
  check_id: z.string().min(1),
  result: z.enum(['pass', 'fail', 'skip']),
  details: z.string().optional(),
});
export type VerificationCheck = z.infer<typeof VerificationCheck>;

/** The findings of a verifier about evidence. UAICP 5.2, 6. */
export const VerificationReport = z.looseObject({
  report_id: z.string().min(1),
  request_id: Uuid,
  verifier_id: z.string().min(1).optional(),
  /** The evidence objects that this verifier consumed. */
  evidence_ids: z.array(z.string()).optional(),
  status: z.enum(['pass', 'fail', 'partial']),
  checks: z.array(VerificationCheck),
  generated_at: DateTime,
});
export type VerificationReport = z.infer<typeof VerificationReport>;
