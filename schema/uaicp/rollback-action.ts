import * as z from 'zod';
import { JsonObject } from '../formats.ts';

/** How a write is inverted if a later step fails; the policy gate, not this schema, asks for all three. UAICP 5.3. */
export const RollbackAction = z.looseObject({
  type: z.string().optional(),
  target: z.string().optional(),
  payload: z.union([JsonObject, z.string()]).optional(),
});
export type RollbackAction = z.infer<typeof RollbackAction>;
