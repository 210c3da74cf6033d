import * as z from 'zod';
import { JsonObject } from '../formats.ts';

/**
 * The inverse of a write, for use if a later step fails. The policy gate, not this schema, requires all three
 * fields. UAICP 5.3.
 */
export const RollbackAction = z.looseObject({
  type: z.string().optional(),
  target: z.string().optional(),
  payload: z.union([JsonObject, z.string()]).optional(),
});
export type RollbackAction = z.infer<typeof RollbackAction>;
