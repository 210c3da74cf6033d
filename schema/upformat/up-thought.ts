import * as z from 'zod';
import { JsonValue } from '../formats.ts';

/** An agent's structured reasoning: its questions, confidence and alternatives. UpFormat 2.2, Table 2. */
export const UpThought = z.looseObject({
  reasoning: z.array(z.string()).optional(),
  questions: z.array(z.string()).optional(),
  /** 0 to 1, both included; finite. */
  confidence: z.number().min(0).max(1).optional(),
  canProceed: z.boolean().optional(),
  /** Other approaches, each a free JSON value. */
  alternatives: z.array(JsonValue).optional(),
  assumptions: z.array(z.string()).optional(),
});
export type UpThought = z.infer<typeof UpThought>;
